import { toolName } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { restCall, type ShownCall } from './platform-calls.ts'

/** The doors at which a call is shown. */
export const doorNames = ['rest', 'mcp', 'a2a'] as const
/** One of them: the language of its blocks. */
export type DoorName = (typeof doorNames)[number]

/** A call in a list, by its number if the list has numbers. */
export type ListedCall = ShownCall & { number?: number }

/**
 * Calls at one door, a line each: method, path and body over REST, the tool and its arguments over MCP, the
 * method and its params over A2A. Operations that the catalog lacks are left out.
 */
export function callLines(
  catalog: readonly OperationFacts[],
  calls: readonly ListedCall[],
  door: DoorName,
): string {
  const byName = new Map(catalog.map((op) => [op.name, op]))
  return calls
    .flatMap(({ number, name, input = {} }) => {
      const op = byName.get(name)
      const line = op && lineOf(op, input, door)
      if (line === undefined) return []
      return [number === undefined ? line : `${number}. ${line}`]
    })
    .join('\n')
}

function lineOf(
  op: OperationFacts,
  input: NonNullable<ShownCall['input']>,
  door: DoorName,
): string {
  if (door === 'mcp') return `${toolName(op)} ${written(input)}`
  if (door === 'a2a') return `${op.name} ${written(input)}`
  const { method, target, body } = restCall(op, input)
  return `${method} ${target}${body === undefined ? '' : ` ${written(body)}`}`
}

/** As JSON, in which a word that stands alone for a whole document is one of the reader's. */
function written(value: unknown): string {
  return JSON.stringify(value).replaceAll('"MANIFEST"', 'MANIFEST')
}
