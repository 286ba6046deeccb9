import { toolName, type OperationFacts } from '../operation-facts.ts'

/** Longest name of an operation in any form: an address with its ids. */
export const nameAtMost = 300

const address = /^(GET|POST|PUT|PATCH|DELETE)\s+(?:https?:\/\/[^/\s]+)?(\/[^\s?#]*)/i

/** The method, in capitals, and the path of a name that is an address. */
export function addressIn(name: string): { method: string; path: string } | undefined {
  const [, method, path] = address.exec(name.trim()) ?? []
  return method !== undefined && path !== undefined
    ? { method: method.toUpperCase(), path }
    : undefined
}

/**
 * The operation that a name means in the words of any door: `tasks.run`, `tasks_run`, or an address with or
 * without its ids, `POST /api/characters/{char_id}/tasks/{task_id}/run`.
 */
export function namedOperation<O extends OperationFacts>(
  catalog: readonly O[],
  name: string,
): O | undefined {
  const sent = addressIn(name)
  if (sent) return atAddress(catalog, sent.method, sent.path)
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
    if (op.http.method !== method) continue
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
