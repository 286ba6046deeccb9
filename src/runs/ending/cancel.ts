import type { Filter } from '#src/ports/filter.ts'
import type { Ports } from '#src/core/context.ts'
import { end } from './end-run.ts'
import type { StoredRun } from '../run.ts'

const atOnce = 100
const active = ['queued', 'running', 'waiting_approval', 'waiting_input'] as const

/** Cancels all active runs of the filter in portions, and tells callers that wait for them. */
export async function cancelRuns(
  ports: Ports,
  among: Filter<StoredRun>,
  reason: string,
): Promise<void> {
  const stillActive = { ...among, status: { $in: active } }
  let after = ''
  for (;;) {
    const runs = await ports.store.runs.find(
      { ...stillActive, id: { $gt: after } },
      { sort: { id: 1 }, limit: atOnce },
    )
    const outcome = { status: 'cancelled', error: null, reason } as const
    // A run that waits for its steps cancels them with it; if they came first, their end would end it.
    for (const group of [runs.filter(isNoStep), runs.filter((run) => !isNoStep(run))]) {
      await Promise.all(group.map((run) => end(ports, run, outcome)))
    }
    const last = runs.at(-1)
    if (!last) return
    after = last.id
  }
}

function isNoStep(run: StoredRun): boolean {
  return run.step == null
}
