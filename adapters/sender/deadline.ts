import { failure } from './faults.ts'

/** How a request is ended from outside. */
export interface Deadline {
  /** Aborted with the failure as its reason. */
  signal: AbortSignal
  /** Rejects when the signal is aborted: the client ignores the signal until it is connected. */
  passed: Promise<never>
  /** Removes the timer and the listeners. */
  [Symbol.dispose](): void
}

/** Ends a request after that many milliseconds, or when one of the signals is aborted. */
export function startDeadline(
  milliseconds: number,
  signals: readonly (AbortSignal | undefined)[],
): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const cancel = (): void => controller.abort(failure('cancelled'))
  const timer = setTimeout(() => controller.abort(failure('timeout')), milliseconds)
  const { promise: passed, reject } = Promise.withResolvers<never>()
  // Handled even if nothing awaits it any more.
  passed.catch(() => undefined)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  for (const other of signals) {
    if (other?.aborted) cancel()
    other?.addEventListener('abort', cancel, { once: true })
  }
  return {
    signal,
    passed,
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const other of signals) other?.removeEventListener('abort', cancel)
    },
  }
}
