import type { Disk } from './space/watch.ts'
import type { Store } from '#src/ports/store.ts'
import type { Files } from '#src/ports/files.ts'

/** A store, with files beside its documents where it keeps them itself. */
export type OpenedStore = Store & {
  readonly files?: Files
  /** How the disk of its server stands, where that tells; for the embedded store the folder tells. */
  readonly disk?: () => Promise<Disk | undefined>
  /**
   * Does some work with nobody else on the store, and leaves nothing in its files of what that has replaced,
   * where the store can do so.
   */
  wiping?<T>(work: () => Promise<T>): Promise<T>
}
