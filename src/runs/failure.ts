import type { StoredRun } from './run.ts'

/** A run cannot succeed: carries the code and the message of its error. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly code: string
  readonly status: 'failed' | 'timed_out'
  /** What the run used until then. */
  readonly usage: StoredRun['usage'] | undefined

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & {
      status?: 'failed' | 'timed_out'
      usage?: StoredRun['usage'] | undefined
    } = {},
  ) {
    super(message, options)
    this.code = code
    this.status = options.status ?? 'failed'
    this.usage = options.usage
  }
}
