import { toolName, type OperationFacts } from '../operation-facts.ts'
import { inNames, type Input, type Words } from './reference.ts'

/** What is known of an operation that a text names. */
type Facts = Pick<OperationFacts, 'name' | 'http' | 'document'>

/** By methods and paths, as REST has them. @param address of the service; empty for paths alone */
export function inPaths(catalog: readonly Facts[], address = ''): Words {
  const known = byName(catalog)
  return (name, input) => {
    const op = known().get(name)
    return op ? pathCall(op, input, address) : inNames(name, input)
  }
}

/** By the names of tools, which are those of MCP; what is no tool of the door, by its path. */
export function inTools(
  operations: readonly Facts[],
  catalog: readonly Facts[],
  address: string,
): Words {
  const known = byName(catalog)
  return ownOr(operations, catalog, address, (name, input) =>
    inNames(toolName({ name }), namingTool(input, known())),
  )
}

/** By the names of methods, which are those of A2A; what is no method of the door, by its path. */
export function inMethods(
  operations: readonly Facts[],
  catalog: readonly Facts[],
  address: string,
): Words {
  return ownOr(operations, catalog, address, inNames)
}

/** The input of a call that names an operation, such as the one that describes it, with the name of its tool. */
function namingTool(input: Input, known: ReadonlyMap<string, Facts>): Input {
  const { name } = input
  const isOperation = typeof name === 'string' && name.includes('.') && known.has(name)
  return isOperation ? { ...input, name: toolName({ name }) } : input
}

/** What no catalog has, as the call by name, only the doors of agents have. */
function ownOr(
  operations: readonly Facts[],
  catalog: readonly Facts[],
  address: string,
  own: Words,
): Words {
  const [offered, known] = [byName(operations), byName(catalog)]
  const paths = inPaths(catalog, address)
  return (name, input) =>
    offered().has(name) || !known().has(name) ? own(name, input) : paths(name, input)
}

/** Made when the first text asks: most answers name no call. */
function byName(catalog: readonly Facts[]): () => ReadonlyMap<string, Facts> {
  let made: ReadonlyMap<string, Facts> | undefined
  return () => (made ??= new Map(catalog.map((op) => [op.name, op])))
}

function pathCall({ http, document }: Facts, input: Input, address: string): string {
  const left = { ...input }
  const path = http.path.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = left[name]
    delete left[name]
    return typeof value === 'string' || typeof value === 'number'
      ? encodeURIComponent(value)
      : place
  })
  const line = `${http.method} ${address}${path}`
  if (http.method === 'GET' || http.method === 'DELETE') return line + queryOf(left)
  if (document === undefined || !(document in left)) {
    return Object.keys(left).length === 0 ? line : `${line} ${JSON.stringify(left)}`
  }
  const { [document]: body, ...others } = left
  return `${line}${queryOf(others)} ${JSON.stringify(body)}`
}

/** A list is sent by repeating its name. */
function queryOf(members: Input): string {
  const query = Object.entries(members).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  )
  return query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`
}
