import type { Context, Ports } from '#src/core/context.ts'
import type { Row } from '#src/ports/store.ts'
import { endedStatuses, waitingStatuses, type RunStatus } from './run.ts'

type Needed = Pick<Ports, 'store' | 'waiting' | 'clock'> & Partial<Pick<Context, 'progress'>>

/** Waits until a run that is about to be queued does not go on by itself any more. */
export interface Awaited {
  /** The run as stored, ended or waiting for somebody; undefined when the time is up or the caller has gone. */
  settled(): Promise<{ row: Row; hasEnded: boolean } | undefined>
  /** Nobody waits after all. */
  giveUp(): void
}

/**
 * Begins to wait before the run is there, so that an end that comes at once is not missed. Whoever
 * begins asks for the end or gives up.
 */
export function awaitEnd(
  { store, waiting, clock, progress }: Needed,
  runId: string,
  seconds: number,
  signal: AbortSignal | undefined,
): Awaited {
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
  return {
    giveUp: () => enough.abort(true),
    async settled() {
      // Told of every change, not of the end alone.
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

/** Whoever waits wants to know that something happens, though it is not the end. */
async function tellStatus(
  store: Ports['store'],
  runId: string,
  progress: (message: string) => void,
): Promise<void> {
  const run = await store.runs.get(runId)
  if (run) progress(`${runId} is ${run.status}${run.reason ? ` (${run.reason})` : ''}`)
}
