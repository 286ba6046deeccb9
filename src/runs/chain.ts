import * as z from 'zod'
import type { Reach } from '#src/agents/access.ts'
import type { Context } from '#src/core/context.ts'
import type { Filter } from '#src/ports/filter.ts'
import { noRun, ownRuns } from './access.ts'
import { Next } from '#src/core/words/next-call.ts'
import { nextOf, type Waiting } from './next.ts'
import { waitingStatuses, type StoredRun } from './run.ts'

/** How many calls are named that let a chain go on. */
const nextAtMost = 10

export const Chain = z
  .object({
    ended: z.boolean().describe('All of its runs that this key may read have ended.'),
    going_on: z.int().describe('Runs that go on by themselves.'),
    next: z.array(Next).describe('What to call for those that wait for someone outside.'),
  })
  .meta({ id: 'Chain' })
/** How a run stands with all that it has set off. */
export type Chain = z.infer<typeof Chain>

/** The runs of a chain that the caller may read. */
export type Members = Filter<StoredRun> & { root_run_id: string }

/** What a queued run waits for that comes by itself. */
const byThemselves = ['worker', 'room', 'turn', 'time'] as const

/** Those of them that go on by themselves: an agent has one, a worker has one, or one waits for those. */
function goingOn(chain: Members): Filter<StoredRun> {
  return {
    ...chain,
    $or: [
      // One that waits for its steps waits for what they wait for.
      { status: 'running', waits_for: { $ne: 'steps' } },
      { status: 'queued', waits_for: { $in: byThemselves } },
    ],
  }
}

/**
 * The chain that a run belongs to.
 * @throws Refusal `run_not_found`, `forbidden` if the caller may read nothing of it
 */
export async function chainOf(reach: Reach, runId: string): Promise<Members> {
  const own = ownRuns(reach)
  const [row] = await reach.store.runs.pick(['root_run_id'], { id: runId, ...own }, { limit: 1 })
  const chain = { ...own, root_run_id: row ? String(row[0]) : runId }
  if (row) return chain
  // A key of one agent may read runs that another one began which it may not read.
  const [any] = await reach.store.runs.pick(['id'], chain, { limit: 1 })
  return any ? chain : noRun(reach, runId)
}

/**
 * Waits until no run of a chain goes on by itself. What a run hands on is queued in the commit that ends it,
 * so it is enough to wait for one run that goes on after the other.
 */
export async function awaitChain(
  { store, waiting, clock, signal, progress }: Context<'key'>,
  chain: Members,
  seconds: number,
): Promise<void> {
  const deadline = clock.monotonic() + seconds * 1000
  const going = goingOn(chain)
  const find = (more: Filter<StoredRun>) => store.runs.pick(['id'], { ...going, ...more }, one)
  for (;;) {
    const [first] = await find({})
    if (!first) return
    const id = String(first[0])
    const enough = new AbortController()
    const either = signal ? AbortSignal.any([signal, enough.signal]) : enough.signal
    const told = waiting.until(id, Math.max(0, deadline - clock.monotonic()), either)
    try {
      // Checked again, because it may have ended before the wait began.
      const [still] = await find({ id })
      if (!still) continue
      progress?.(`${id} goes on`)
      if (!(await told)) return
    } finally {
      enough.abort(true)
    }
  }
}

const one = { limit: 1 } as const

const shown = ['char_id', 'task_id', 'status', 'reason', 'approval_id'] as const

/** The picked members as they are stored. */
function waitingRun(row: readonly unknown[]): Waiting {
  return Object.fromEntries(shown.map((name, i) => [name, row[i]])) as unknown as Waiting
}

/** How a chain stands now. */
export async function standOf({ store }: Pick<Context, 'store'>, chain: Members): Promise<Chain> {
  const outside: Filter<StoredRun> = {
    ...chain,
    $or: [
      { status: 'queued', waits_for: { $in: ['brain', 'resume'] } },
      { status: { $in: waitingStatuses } },
    ],
  }
  const [going_on, held] = await Promise.all([
    store.runs.count(goingOn(chain)),
    store.runs.pick(shown, outside, { sort: { id: 1 }, limit: nextAtMost }),
  ])
  const calls = held.flatMap((row) => nextOf(waitingRun(row)) ?? [])
  const next = [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()]
  return { ended: going_on === 0 && held.length === 0, going_on, next }
}
