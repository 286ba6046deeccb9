import { Refusal } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { openCursor, sealCursor, type Order } from '#src/core/page.ts'
import { retryUnmet } from '#src/core/revision.ts'
import type { Condition, Filter } from '#src/ports/filter.ts'
import { isMap } from '#src/core/maps.ts'
import { resumedReason } from '../approvals/verdict.ts'
import type { StoredRun } from '../run.ts'
import { retryOf, type Changed, type Retrying } from './retry.ts'

/** Runs that are retried at once: their writes share a commit to the disk. */
const atOnce = 10

/** What became of the runs of one call. */
export interface Retried {
  retries: { run_id: string; retry_run_id: string }[]
  left_out: { run_id: string; reason: string }[]
  next: string | null
}

/**
 * The runs among these that may be retried: none that was retried before, so that no two calls retry the same
 * one, and none that only made way for the run that goes on for it.
 */
export function retryable(among: Filter<StoredRun>): Filter<StoredRun> {
  return {
    ...among,
    retry_id: null,
    reason: { $ne: resumedReason },
    task_id: { $ne: null, ...equal(among.task_id) },
  }
}

function equal(task: Filter<StoredRun>['task_id']): Condition {
  return typeof task === 'string' ? { $in: [task] } : isMap(task) ? task : {}
}

/** The runs of one call, oldest first, and where the next one goes on. */
export class Portion {
  readonly ids: string[]
  readonly #isLast: boolean
  readonly #bound: string
  readonly #order: Order

  private constructor(ids: string[], isLast: boolean, bound: string, order: Order) {
    this.ids = ids
    this.#isLast = isLast
    this.#bound = bound
    this.#order = order
  }

  /**
   * Runs that begin after the first call are not looked at, or what fails again would be retried without an end.
   * @throws Refusal `cursor_invalid`
   */
  static async of(
    { store }: Pick<Retrying, 'store'>,
    among: Filter<StoredRun>,
    { limit, cursor }: { limit: number; cursor?: string | undefined },
    list: string,
  ): Promise<Portion> {
    const order: Order = { list, by: 'id', direction: 1 }
    const [bound, after] = cursor ? openCursor(order, cursor) : [newId('run'), '']
    const own = isMap(among.id) ? among.id : {}
    const from = { $gt: after, $lte: String(bound) }
    const between = { ...among, ...both(own, from) }
    const found = await store.runs.pick(['id'], between, { sort: { id: 1 }, limit: limit + 1 })
    const ids = found.slice(0, limit).map(([id]) => String(id))
    return new Portion(ids, found.length <= limit, String(bound), order)
  }

  /** The cursor after the last run. */
  get next(): string | null {
    return this.#isLast ? null : this.after(this.ids.at(-1) ?? '')
  }

  after(id: string): string {
    return sealCursor(this.#order, [this.#bound, id])
  }
}

/** Both conditions on the id; of two lower or upper bounds the narrower. */
function both(own: Condition, { $gt, $lte }: { $gt: string; $lte: string }): { id: Condition } {
  return { id: { ...own, $gt, $lte } }
}

/**
 * Retries the runs of a portion, each in a commit of its own. It stops where a quota is used up, and the next
 * call goes on there. @throws Refusal `quota_exceeded` if there is no room for the first
 */
export async function retryPortion(
  context: Retrying,
  portion: Portion,
  changed: Changed,
): Promise<Retried> {
  const done: Retried = { retries: [], left_out: [], next: portion.next }
  for (let i = 0; i < portion.ids.length; i += atOnce) {
    const some = portion.ids.slice(i, i + atOnce)
    const outcomes = await Promise.all(some.map((id) => retriedOne(context, id, changed)))
    for (const [at, outcome] of outcomes.entries()) {
      const run_id = some[at] ?? ''
      if (outcome instanceof Refusal) done.left_out.push({ run_id, reason: outcome.code })
      else if (outcome) done.retries.push({ run_id, retry_run_id: outcome.id })
    }
    const full = outcomes.find((one) => one instanceof Refusal && one.code === 'quota_exceeded')
    if (!full) continue
    if (done.retries.length === 0) throw full
    const after = portion.ids[i - 1] ?? ''
    return { ...done, next: portion.after(after) }
  }
  return done
}

/** The retry; why there is none; undefined where another call was first, or the run is gone. */
async function retriedOne(
  context: Retrying,
  id: string,
  changed: Changed,
): Promise<StoredRun | Refusal | undefined> {
  const { store, quotas, caller, clock } = context
  let isAdmitted = false
  try {
    return await retryUnmet(async () => {
      const old = await store.runs.get(id)
      if (!old || old.retry_id) return undefined
      const { run, writes } = await retryOf(context, old, changed, clock.now())
      if (!isAdmitted) {
        await quotas.admit('queued_runs', caller)
        await quotas.admit('runs_a_day', caller)
      }
      isAdmitted = true
      await store.commit(writes)
      return run
    })
  } catch (cause) {
    if (cause instanceof Refusal) return cause
    throw cause
  }
}
