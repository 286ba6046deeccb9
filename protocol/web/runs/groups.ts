import type { Run } from '#src/runs/run.ts'

/** A run by itself, or several that failed for one reason. */
export type Entry = { one: Run } | { alike: [Run, ...Run[]]; code: string }

/** Runs of a page, of which those of one task that failed for one reason stand together at the newest of them. */
export function grouped(runs: readonly Run[]): Entry[] {
  const alike = Map.groupBy(runs, keyOf)
  return runs.flatMap((run): Entry[] => {
    const key = keyOf(run)
    const [first, ...others] = (key !== undefined && alike.get(key)) || [run]
    if (!first || others.length === 0 || run.error === null) return [{ one: run }]
    return first === run ? [{ alike: [first, ...others], code: run.error.code }] : []
  })
}

function keyOf({ status, error, char_id, task_id }: Run): string | undefined {
  const isFailed = status === 'failed' || status === 'timed_out'
  if (!isFailed || error === null) return undefined
  return JSON.stringify([char_id, task_id, error.code])
}
