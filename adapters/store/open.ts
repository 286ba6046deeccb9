import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Files } from '#src/ports/files.ts'
import type { Store } from '#src/ports/store.ts'
import type { Disk } from './space/watch.ts'
import { openSqlite } from './sqlite.ts'

/** Where everything is kept: on MongoDB when an address is given, else in a folder. */
export interface StorePlace {
  uri?: string | undefined
  folder: string
}

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

/** Whether there can be anything in the place: of a database only its server knows. */
export function hasStore({ uri, folder }: StorePlace): boolean {
  return uri !== undefined || existsSync(join(folder, 'abode.db'))
}

/**
 * Opens the store of the place, with its tables and indexes.
 * @throws StoreUnusable when a person has to put something right first
 */
export async function openStore({ uri, folder }: StorePlace): Promise<OpenedStore> {
  if (uri === undefined) return openSqlite(folder)
  // The driver is large, and most installations never need it.
  const { openMongo } = await import('./mongo.ts')
  return openMongo(uri)
}
