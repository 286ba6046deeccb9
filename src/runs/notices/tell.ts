import { noticeTo, unseenAgain, type OwnerNotice } from '#src/accounts/notice.ts'
import type { Ports } from '#src/core/context.ts'
import { marked, type Source } from '#src/core/text/untrusted.ts'
import { isOvertaken } from '#src/core/revision.ts'
import type { Next } from '#src/core/words/next-call.ts'
import type { Picked, Store, Write } from '#src/ports/store.ts'
import { sourceIn, sourcePaths } from '../moments.ts'
import { newsWrite } from '../told/news.ts'

/** Runs that one look tells of. */
const atOnce = 200
/** A caller that waits for the run is given this time to hear of its end first. */
const graceMs = 2000
/** Of a notice whose last run is none of others. */
const unmarking = { untrusted: true, source: true } as const
/** Longer texts of errors are cut: the run has all of it. */
const messageAtMost = 500

const paths = [
  'id',
  'owner_id',
  'char_id',
  'task_id',
  'status',
  'reason',
  'finished_at',
  'error.code',
  'error.message',
  'untold',
  ...sourcePaths,
] as const

interface Untold {
  id: string
  owner_id: string
  char_id: string
  task_id: string | null
  type: OwnerNotice['type']
  reason: string | null
  message: string | null
  finished_at: string | null
  untold: string
  /** Where the words of its error come from, if from outside of the account. */
  source: Source | undefined
}

/**
 * Tells the owners of what failed, was not started, waits for its paused task, or could not be handed on: one notice
 * for each task, hour and kind, which counts. Each run is told of once: the commit takes its mark away.
 * @returns how many runs were told of
 */
export async function tellUntold(ports: Pick<Ports, 'store' | 'clock'>): Promise<number> {
  const { store, clock } = ports
  const now = clock.now()
  const oldest = { sort: { untold: 1, id: 1 }, limit: atOnce } as const
  const rows = await store.runs.pick(paths, { untold: { $gt: '' } }, oldest)
  const groups = new Map<string, Untold[]>()
  for (const run of rows.map(untoldIn)) {
    if (isFresh(run, now)) continue
    const key = `${run.owner_id} ${run.type} ${run.untold}`
    groups.set(key, [...(groups.get(key) ?? []), run])
  }
  let told = 0
  for (const [key, runs] of groups) told += await tell(store, key, runs, now)
  return told
}

function untoldIn(row: Picked): Untold {
  const [id, owner, char, task, status, reason, finished, code, message, untold] = row
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return {
    id: String(id),
    owner_id: String(owner),
    char_id: String(char),
    task_id: text(task),
    type: typeOf(String(status)),
    reason: text(code) ?? text(reason),
    message: text(message),
    finished_at: text(finished),
    untold: String(untold),
    source: sourceIn(row.slice(-sourcePaths.length)),
  }
}

function typeOf(status: string): OwnerNotice['type'] {
  if (status === 'skipped') return 'work.skipped'
  if (status === 'failed' || status === 'timed_out') return 'run.failed'
  return status === 'completed' ? 'handoff.dropped' : 'work.held'
}

function isFresh({ type, finished_at }: Untold, now: Date): boolean {
  if (type !== 'run.failed' || finished_at === null) return false
  const age = now.getTime() - Date.parse(finished_at)
  // A clock that was put back leaves ends in the future.
  return age >= 0 && age < graceMs
}

async function tell(
  store: Store,
  key: string,
  runs: readonly Untold[],
  now: Date,
): Promise<number> {
  const last = runs.at(-1)
  if (!last) return 0
  const group = `${key} ${now.toISOString().slice(0, 13)}`
  const [known] = await store.notices.find({ group }, { limit: 1 })
  const count = runs.length
  const { message, next } = wording(last, (known?.count ?? 0) + count)
  const { reason, id: run_id, char_id, task_id } = last
  const about = { char_id, task_id, run_id }
  const updated_at = now.toISOString()
  const again = { message, reason, next, run_id, updated_at, ...unseenAgain }
  const its = marked(last.type === 'run.failed' && last.message !== null ? last.source : undefined)
  const mark = its.untrusted ? { $set: { ...again, ...its } } : { $set: again, $unset: unmarking }
  const notice: Write = known
    ? { in: 'notices', update: { id: known.id, group }, change: { ...mark, $inc: { count } } }
    : noticeTo(last.owner_id, last.type, message, about, now, {
        reason,
        count,
        next,
        group,
        ...its,
      })
  const taken = runs.map(({ id, untold }): Write => ({
    in: 'runs',
    update: { id, untold },
    change: { $unset: { untold: true } },
  }))
  try {
    await store.commit([...taken, notice, ...newsOf(runs, now)])
    return count
  } catch (cause) {
    // Another process was first, or one of the runs is gone: the next look decides again.
    if (isOvertaken(cause)) return 0
    throw cause
  }
}

function newsOf(runs: readonly Untold[], now: Date): Write[] {
  const [first] = runs
  if (first?.type !== 'run.failed') return []
  const kind = 'run_failed'
  const items = runs.map(
    ({ id, char_id, task_id }) =>
      ({
        kind,
        char_id,
        task_id,
        run_id: id,
        approval_id: null,
      }) as const,
  )
  return [newsWrite({ owner_id: first.owner_id, kind, count: runs.length, items }, now)]
}

function wording(run: Untold, count: number): { message: string; next: Next[] } {
  const { type, id, char_id, task_id } = run
  const what = task_id === null ? `"${char_id}"` : `the task "${task_id}" of "${char_id}"`
  const times = count === 1 ? '1 run' : `${count} runs`
  const read: Next = { operation: 'runs.get', input: { run_id: id } }
  const retry: Next = { operation: 'runs.retry', input: { run_id: id } }
  const resume: Next = {
    operation: 'tasks.resume',
    input: { char_id, ...(task_id !== null && { task_id }) },
  }
  const why = run.message ? ` The last one: ${run.message.slice(0, messageAtMost)}` : ''
  switch (type) {
    case 'run.failed':
      return { message: `${times} of ${what} failed.${why}`, next: [read, retry] }
    case 'work.held':
      return {
        message: `${times} of ${what} wait, for the task is paused. Resume it, with held: "run" or "drop".`,
        next: [resume],
      }
    case 'work.skipped':
      return {
        message:
          run.reason === 'held_runs'
            ? `${times} of ${what} found no room to wait while the task is paused. Resume it, then retry them.`
            : `${times} of ${what} were not started, for the task is disabled. Retry them where they are wanted.`,
        next: run.reason === 'held_runs' ? [resume, retry] : [retry],
      }
    default:
      return {
        message: `The result of ${times} of ${what} could not be handed on: the event handoff.dropped says why.`,
        next: [{ operation: 'runs.events', input: { run_id: id } }, retry],
      }
  }
}
