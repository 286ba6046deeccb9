/**
 * The store cannot be used as it is configured or as it was found: a person has to fix it, unless it is
 * only away, and the message says how. The process ends; nothing was changed.
 */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
  /** Whether its server does not answer for now: the same start may succeed later, with nothing fixed. */
  readonly isAway: boolean

  constructor(
    message: string,
    { isAway = false, ...options }: ErrorOptions & { isAway?: boolean } = {},
  ) {
    super(message, options)
    this.isAway = isAway
  }
}
