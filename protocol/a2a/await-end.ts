import type { Task } from '@a2a-js/sdk'
import { Refusal } from '#src/core/errors.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Exchange } from './exchange.ts'
import { isSettled } from './states.ts'

/** How long a message is waited for before its task is answered as it stands. */
const waitedMs = 60_000

interface Waiting {
  clock: Clock
  closing: AbortSignal
}

/**
 * The task once nothing more happens to it by itself, or as it stands when the time is up, the
 * sender has gone or the door closes.
 * @param follow gives the task at each change, until the signal is aborted
 */
export async function awaited(
  begun: Task,
  { clock, closing }: Waiting,
  { request }: Exchange,
  follow: (signal: AbortSignal) => AsyncIterable<Task>,
): Promise<Task> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, request.signal, closing])
  // Rejects when it was not needed, which nobody has to know.
  clock.sleep(waitedMs, signal).then(
    () => over.abort(),
    () => undefined,
  )
  let task = begun
  try {
    for await (const next of follow(signal)) {
      task = next
      if (isSettled(next.status?.state)) break
    }
  } catch (cause) {
    // The run has begun: that it cannot be followed now is no reason to say otherwise.
    if (!(cause instanceof Refusal)) throw cause
  } finally {
    over.abort()
  }
  return task
}
