import { digest } from '#src/core/ids.ts'
import type { StoredRun } from '#src/runs/run.ts'

/** The key of the next call that asks for this, among all calls of one attempt of a run. */
export type CallKeys = (asked: readonly unknown[]) => string

/**
 * Keys by which calls of a run are told from each other, so that an attempt which makes a call again, as its worker was
 * lost after the first, finds what that has done. They are ids of events of the run.
 */
export function callKeys({ id }: Pick<StoredRun, 'id'>, tool: string): CallKeys {
  const numbers = new Map<string, number>()
  return (asked) => {
    const what = digest(JSON.stringify([tool, ...asked]))
    const number = (numbers.get(what) ?? 0) + 1
    numbers.set(what, number)
    return `${id}.call.${what}.${number}`
  }
}
