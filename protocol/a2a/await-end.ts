import type { Task } from '@a2a-js/sdk'
import { Refusal } from '#src/core/errors.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Exchange } from './exchange.ts'
import { isSettled } from './states.ts'

/** How long a message waits for its task to end before it is answered with the present task. */
const waitedMs = 60_000

interface Waiting {
  clock: Clock
  closing: AbortSignal
}

/**
 * The task once nothing more happens to it by itself, or its present state when the time is up, the
 * sender has gone or the door closes.
 * @param follow yields the task at each change, until the signal is aborted
 */
export async function awaited(
  first: Task,
  { clock, closing }: Waiting,
  { request }: Exchange,
  follow: (signal: AbortSignal) => AsyncIterable<Task>,
): Promise<Task> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, request.signal, closing])
  // Rejects if it was not needed; that needs no handling.
  clock.sleep(waitedMs, signal).then(
    () => over.abort(),
    () => undefined,
  )
  let task = first
  try {
    for await (const next of follow(signal)) {
      task = next
      if (isSettled(next.status?.state)) break
    }
  } catch (cause) {
    // The run has begun: that it cannot be followed now does not change that.
    if (!(cause instanceof Refusal)) throw cause
  } finally {
    over.abort()
  }
  return task
}
