import type { Context, Ports } from '#src/core/context.ts'
import type { Row } from '#src/ports/store.ts'
import { endedStatuses, waitingStatuses, type RunStatus } from './run.ts'
import { textOf } from './text/follow.ts'

type Needed = Pick<Ports, 'store' | 'waiting' | 'clock'> & Partial<Pick<Context, 'progress'>>

/** Waits until a run that is about to be queued has ended or waits for a decision. */
export interface Awaited {
  /** The run as stored, ended or waiting for a decision; undefined when the time is up or the caller is gone. */
  settled(): Promise<{ row: Row; hasEnded: boolean } | undefined>
  /** Stops waiting. */
  giveUp(): void
}

/**
 * Starts to wait before the run exists, so that an immediate end is not missed. The caller must call
 * `settled` or `giveUp`.
 */
export function awaitEnd(
  ports: Needed,
  runId: string,
  seconds: number,
  signal: AbortSignal | undefined,
): Awaited {
  const { store, waiting, clock, progress } = ports
  const deadline = clock.monotonic() + seconds * 1000
  const enough = new AbortController()
  const either = signal ? AbortSignal.any([signal, enough.signal]) : enough.signal
  const change = (): Promise<boolean> =>
    waiting.until(runId, Math.max(0, deadline - clock.monotonic()), either)
  const rowIn = async (statuses: readonly RunStatus[], hasEnded: boolean) => {
    const [row] = await store.runs.text({ id: runId, status: { $in: statuses } })
    return row && { row, hasEnded }
  }
  let told = change()
  if (progress) void tellText(ports, runId, progress, either).catch(() => undefined)
  return {
    giveUp: () => enough.abort(true),
    async settled() {
      // Resolves on every change, not only on the end.
      while (await told) {
        told = change()
        const found = (await rowIn(endedStatuses, true)) ?? (await rowIn(waitingStatuses, false))
        if (!found) {
          if (progress) await tellStatus(store, runId, progress)
          continue
        }
        enough.abort(true)
        return found
      }
      return undefined
    },
  }
}

/** Reports progress to the waiting caller on changes before the end. */
async function tellStatus(
  store: Ports['store'],
  runId: string,
  progress: (message: string) => void,
): Promise<void> {
  const run = await store.runs.get(runId)
  if (run) progress(`${runId} is ${run.status}${run.reason ? ` (${run.reason})` : ''}`)
}

/** Tells the waiting caller what the model of the run writes, as it comes. */
async function tellText(
  ports: Needed,
  runId: string,
  progress: NonNullable<Needed['progress']>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { text, ...about } of textOf(ports, runId, signal)) {
    progress(text, { run_id: runId, ...about })
  }
}
