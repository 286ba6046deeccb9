import { Refusal } from '#src/core/errors.ts'
import { nearest } from '#src/core/input/nearest.ts'
import { toolName, type OperationFacts } from '#src/core/operation-facts.ts'
import { call } from '#src/core/words/reference.ts'
import { ranked } from './rank.ts'

/** Longest name of an operation in any form: an address with its ids. */
export const nameAtMost = 300

const address = /^(GET|POST|PUT|PATCH|DELETE)\s+(?:https?:\/\/[^/\s]+)?(\/[^\s?#]*)/i

/**
 * The operation that a name means in the words of any door: `tasks.run`, `tasks_run`, or an address with or
 * without its ids, `POST /api/characters/{char_id}/tasks/{task_id}/run`.
 */
export function namedOperation<O extends OperationFacts>(
  catalog: readonly O[],
  name: string,
): O | undefined {
  const [, method, path] = address.exec(name.trim()) ?? []
  if (method !== undefined && path !== undefined) return atAddress(catalog, method, path)
  const tool = name
    .trim()
    .toLowerCase()
    .replaceAll(/[.\-/ ]/g, '_')
  return catalog.find((op) => toolName(op) === tool)
}

/** Of several that fit, the one whose path is spelled out most. */
function atAddress<O extends OperationFacts>(
  catalog: readonly O[],
  method: string,
  path: string,
): O | undefined {
  const sent = stepsOf(path)
  let best: O | undefined
  let most = -1
  for (const op of catalog) {
    if (op.http.method !== method.toUpperCase()) continue
    for (const one of [op.http.path, ...(op.http.also ?? [])]) {
      const same = sameSteps(stepsOf(one), sent)
      if (same > most) [best, most] = [op, same]
    }
  }
  return best
}

function stepsOf(path: string): string[] {
  return path.split('/').filter((step) => step !== '')
}

/** How many steps of an address are those of the path itself; -1 if it is another address. */
function sameSteps(path: readonly string[], sent: readonly string[]): number {
  if (path.length !== sent.length) return -1
  let same = 0
  for (const [at, step] of path.entries()) {
    if (step === sent[at]) same += 1
    else if (!step.startsWith('{')) return -1
  }
  return same
}

/** The operation that was probably meant by a name that no operation has: by its letters, or its words. */
export function meantOperation<O extends OperationFacts>(
  catalog: readonly O[],
  name: string,
): O | undefined {
  const near = nearest(
    name,
    catalog.map((op) => op.name),
  )
  const [first] = ranked(catalog, name)
  return catalog.find((op) => op.name === (near ?? first?.op.name))
}

/** The refusal of a name that no operation has, with the one that was probably meant. */
export function noOperation(catalog: readonly OperationFacts[], name: string): Refusal {
  const suggestion = meantOperation(catalog, name)?.name
  return new Refusal('operation_not_found', `No operation is called "${name.slice(0, 100)}".`, {
    hint: `${suggestion ? `Did you mean ${call(suggestion)}? ` : ''}Look for it by what you want to do: ${call('operations.search')}.`,
    ...(suggestion !== undefined && { members: { suggestion } }),
  })
}
