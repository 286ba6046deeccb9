import type { Ports } from '#src/core/context.ts'
import type { Row } from '#src/ports/store.ts'
import { endedStatuses } from './run.ts'

/** Waits for the end of a run that is about to be queued. */
export interface Awaited {
  /** The ended run as stored; undefined when the time is up or the caller has gone. */
  ended(): Promise<Row | undefined>
  /** Nobody waits after all. */
  giveUp(): void
}

/**
 * Begins to wait before the run is there, so that an end that comes at once is not missed. Whoever
 * begins asks for the end or gives up.
 */
export function awaitEnd(
  { store, waiting, clock }: Pick<Ports, 'store' | 'waiting' | 'clock'>,
  runId: string,
  seconds: number,
  signal: AbortSignal | undefined,
): Awaited {
  const deadline = clock.monotonic() + seconds * 1000
  const enough = new AbortController()
  const either = signal ? AbortSignal.any([signal, enough.signal]) : enough.signal
  const change = (): Promise<boolean> =>
    waiting.until(runId, Math.max(0, deadline - clock.monotonic()), either)
  let told = change()
  return {
    giveUp: () => enough.abort(true),
    async ended() {
      // Told of every change, not of the end alone.
      while (await told) {
        told = change()
        const [row] = await store.runs.text({ id: runId, status: { $in: endedStatuses } })
        if (!row) continue
        enough.abort(true)
        return row
      }
      return undefined
    },
  }
}
