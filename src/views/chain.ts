import type { Run } from '#src/runs/run.ts'

/** What of a run a chain is drawn from: polls ask for no more. */
export type Link = Pick<
  Run,
  | 'id'
  | 'char_id'
  | 'task_id'
  | 'app_id'
  | 'status'
  | 'reason'
  | 'output'
  | 'error'
  | 'approval_id'
  | 'parent_run_id'
  | 'root_run_id'
  | 'trigger'
  | 'usage'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'untrusted'
  | 'source'
>

/** The members of a run that its view reads. */
export const linkMembers: readonly (keyof Link)[] = [
  'id',
  'char_id',
  'task_id',
  'app_id',
  'status',
  'reason',
  'output',
  'error',
  'approval_id',
  'parent_run_id',
  'root_run_id',
  'trigger',
  'usage',
  'created_at',
  'started_at',
  'finished_at',
  'untrusted',
  'source',
]

/** A run in its place in the tree: under the run that started it. */
export interface Branch {
  run: Link
  /** How many runs it is away from the first. */
  depth: number
}

/** Runs as trees, the older first, each run before those that it started. A run whose parent is not among them is a root. */
export function branches(runs: readonly Link[]): Branch[] {
  const known = new Set(runs.map(({ id }) => id))
  const under = Map.groupBy(runs, ({ id, parent_run_id: parent }) =>
    parent !== null && parent !== id && known.has(parent) ? parent : null,
  )
  const found: Branch[] = []
  const open = [...sorted(under.get(null))].map((run) => ({ run, depth: 0 }))
  // A circle has no root: nothing of it is reached, and nothing is visited twice.
  for (let next = open.pop(); next; next = open.pop()) {
    found.push(next)
    const depth = next.depth + 1
    for (const run of sorted(under.get(next.run.id))) open.push({ run, depth })
  }
  return found
}

/** The newest first, since the last of a stack comes first. */
function sorted(runs: readonly Link[] = []): readonly Link[] {
  return runs.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
}

/** The stretch of time that runs take together, in milliseconds since the epoch. */
export interface Stretch {
  from: number
  until: number
}

/** From the first that was asked for to the last that ended, or to now. */
export function stretchOf(runs: readonly Link[], now: number): Stretch {
  let [from, until] = [Infinity, -Infinity]
  for (const { created_at, finished_at } of runs) {
    from = Math.min(from, Date.parse(created_at))
    until = Math.max(until, finished_at === null ? now : Date.parse(finished_at))
  }
  return { from, until: Math.max(until, from + 1) }
}

/** Where a run waited and where it worked, in parts of a thousand of a stretch. */
export function barOf(
  { created_at, started_at, finished_at }: Link,
  { from, until }: Stretch,
  now: number,
) {
  const at = (time: number) => {
    const part = Math.round(((time - from) / (until - from)) * 1000)
    return Math.min(1000, Math.max(0, part))
  }
  const end = finished_at === null ? now : Date.parse(finished_at)
  const begin = started_at === null ? end : Date.parse(started_at)
  const [left, middle, right] = [at(Date.parse(created_at)), at(begin), at(end)]
  return { waits: { x: left, width: middle - left }, works: { x: middle, width: right - middle } }
}
