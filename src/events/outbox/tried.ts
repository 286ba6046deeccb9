/** The result of one try. */
export interface Tried {
  /** When it began. */
  at: Date
  /** Undefined if no answer came. */
  status: number | undefined
  /** Undefined if it was delivered. */
  error: string | undefined
  /** Seconds that the receiver asked to wait. */
  retryAfter: number | undefined
  /** It would be refused again. */
  isFinal?: boolean | undefined
  /** The receiver exists no longer. */
  isGone?: boolean | undefined
}
