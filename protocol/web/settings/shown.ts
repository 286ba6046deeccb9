import type { Showing } from '#src/views/view.ts'

/** To whom a part of the settings is shown. */
export interface Shown {
  /** Whether they may change it. */
  isOwner: boolean
  /** By whose clocks times are shown. */
  at: Pick<Showing, 'zone'>
}
