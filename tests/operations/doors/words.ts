import { catalog } from '#src/catalog.ts'
import { toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'

/** A call that a text names: an operation, with the members of its input that the text gives. */
export interface NamedCall {
  op: Operation
  input: Record<string, unknown>
}

/** How a door names calls; the core names them as A2A does. */
export type Tongue = 'core' | 'rest' | 'mcp' | 'a2a'

const byName = new Map(catalog.map((op) => [op.name, op]))
const byTool = new Map(catalog.map((op) => [toolName(op), op]))
// Fixed segments are the likelier meaning.
const byPath = catalog
  .map((op) => ({ op, form: formOf(op.http.path) }))
  .toSorted((a, b) => holes(a.op) - holes(b.op))

function holes({ http }: Operation): number {
  return http.path.split('{').length
}

function formOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
}

/** The calls that a text names between backticks, in the words of the door. */
export function callsIn(text: string, tongue: Tongue): NamedCall[] {
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, said = '']) => callIn(said, tongue) ?? [])
}

function callIn(said: string, tongue: Tongue): NamedCall | undefined {
  const byHttp = pathCall(said)
  if (tongue === 'rest' || byHttp) return byHttp
  const [, name = '', sent = '{}'] = /^([\w.]+)(?: (\{.*\}))?$/.exec(said) ?? []
  const op = (tongue === 'mcp' ? byTool : byName).get(name)
  return op && { op, input: inNames(JSON.parse(sent) as Record<string, unknown>, tongue) }
}

/** An input that names an operation as the door does, with the name that the core has. */
function inNames(input: Record<string, unknown>, tongue: Tongue): Record<string, unknown> {
  const named = tongue === 'mcp' ? byTool.get(String(input['name'])) : undefined
  return named ? { ...input, name: named.name } : input
}

function pathCall(said: string): NamedCall | undefined {
  const form = /^([A-Z]+) (?:https?:\/\/[^/\s]+)?(\/[^\s?]*)(?:\?(\S+))?(?: (.+))?$/
  const [, method, path = '', query = '', body] = form.exec(said) ?? []
  const found = byPath.find(({ op, form }) => op.http.method === method && form.test(path))
  if (!found) return undefined
  const { op } = found
  const values = found.form.exec(path)?.slice(1) ?? []
  const names = [...op.http.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inPath = names.flatMap((name, i) => {
    const value = decodeURIComponent(values[i] ?? '')
    return value === `{${name}}` ? [] : [[name, value] as const]
  })
  const sent: unknown = body === undefined ? {} : JSON.parse(body)
  return {
    op,
    input: {
      ...Object.fromEntries(new URLSearchParams(query)),
      ...(op.document !== undefined && body !== undefined
        ? { [op.document]: sent }
        : (sent as object)),
      ...Object.fromEntries(inPath),
    },
  }
}

/** What in a text is in the words of another door, or is a reference that no door has put into words. */
export function strayWords(text: string, tongue: Tongue): string[] {
  const bare = text.replaceAll(/`[^`]+`/g, '').replaceAll(/"[^"]*"/g, '')
  const references = text.match(/<[a-z_]+(?:\.[a-z_]+)+/g) ?? []
  const names = (bare.match(/[a-z_]+(?:[._][a-z]+)+/g) ?? []).filter(
    (word) => byName.has(word) || byTool.has(word),
  )
  const said = [...text.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one)
  const alien = said.filter((one) => {
    const op = pathCall(one)?.op
    // What a door does not have is named by its whole address.
    const isWhole = / https?:/.test(one)
    const isPath = tongue !== 'rest' && op !== undefined && op.restOnly !== true && !isWhole
    const isName =
      tongue === 'rest' || tongue === 'mcp'
        ? byName.has(one.split(' ')[0] ?? '') && one.includes('.')
        : false
    const isTool =
      tongue !== 'mcp' &&
      byTool.has(one.split(' ')[0] ?? '') &&
      one.includes('_') &&
      !byName.has(one)
    return isPath || isName || isTool
  })
  return [...references, ...names, ...alien]
}

/** What a service says in an answer, with every call by the name of its operation, as the core has it. */
export function saidInOperations(value: unknown, tongue: Tongue): unknown {
  if (typeof value === 'string') return inOperations(value, tongue)
  if (Array.isArray(value)) return value.map((one: unknown) => saidInOperations(one, tongue))
  if (typeof value !== 'object' || value === null) return value
  const { message, why, operation, next } = value as Record<string, unknown>
  return {
    ...value,
    ...(typeof message === 'string' && { message: inOperations(message, tongue) }),
    ...(typeof why === 'string' && { why: inOperations(why, tongue) }),
    ...(typeof operation === 'string' && { operation: operationOf(operation, tongue) }),
    ...(typeof next === 'object' && { next: saidInOperations(next, tongue) }),
  }
}

/** The operation that a door calls so. */
export function operationOf(said: string, tongue: Tongue): string {
  return callIn(said, tongue)?.op.name ?? `${said}, which is no call here`
}

/** A text with the calls that it names by the names of their operations, as the core has them. */
export function inOperations(text: string, tongue: Tongue): string {
  return text.replaceAll(/`([^`]+)`/g, (whole, said: string) => {
    const named = callIn(said, tongue)
    if (!named) return whole
    // An address has texts alone, and names its members in an order of its own.
    const members = Object.entries(named.input)
      .map(
        ([name, value]) =>
          [
            name,
            typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
          ] as const,
      )
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    const input = members.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(members))}`
    return `\`${named.op.name}${input}\``
  })
}
