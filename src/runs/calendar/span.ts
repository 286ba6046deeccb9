import type { Ports } from '#src/core/context.ts'
import type { Key } from '#src/core/page.ts'

/** What the calendar reads with. */
export type Reading = Pick<Ports, 'store' | 'clock'>

/** The time that a page of the calendar shows. Milliseconds since the epoch. */
export interface Span {
  from: number
  /** Exclusive. */
  before: number
  /** Where the page before ended. */
  after: Key | undefined
}
