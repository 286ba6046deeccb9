import type { OpenedStore } from './opened.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from './sqlite/sqlite.ts'

/** Where everything is stored: in MongoDB if there is an address, else in a folder. */
export interface StorePlace {
  uri?: string | undefined
  folder: string
}

export interface StoreTerms {
  /** How long the store may take for a call, in milliseconds; its own figure where it is left out. */
  patienceMs?: number
  /** Whether an embedded store of an older version gets the form of this one; it does where it is left out. */
  mayUpgrade?: boolean
}

/** Whether the place may hold a store: for a database only its server knows. */
export function hasStore({ uri, folder }: StorePlace): boolean {
  return uri !== undefined || existsSync(join(folder, 'abode.db'))
}

/**
 * Opens the store of the place, with its tables and indexes.
 * @throws StoreUnusable when a person has to fix something first
 */
export async function openStore(
  { uri, folder }: StorePlace,
  terms: StoreTerms = {},
): Promise<OpenedStore> {
  if (uri === undefined) return openSqlite(folder, terms)
  // The driver is large, and most installations never need it.
  const { openMongo } = await import('./mongo/mongo.ts')
  return openMongo(uri, terms)
}
