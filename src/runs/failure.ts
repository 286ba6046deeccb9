/** A run cannot succeed: its end and the words that its error carries. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly code: string
  readonly status: 'failed' | 'timed_out'

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { status?: 'failed' | 'timed_out' } = {},
  ) {
    super(message, options)
    this.code = code
    this.status = options.status ?? 'failed'
  }
}
