import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '#adapters/store/open.ts'
import type { Store } from '#src/ports/store.ts'
import { inForm } from './long-tests.ts'
import { dropDatabase, inDatabase, newName } from './mongodb/databases.ts'
import { takeDatabase } from './mongodb/pool.ts'

/** An empty place of its own for a store. More than one store, as of more processes, may open it. */
export interface Place {
  /** The address of its database; absent for the embedded store. */
  readonly uri?: string
  readonly folder: string
  open(): Promise<Store>
  /** Removes what the stores have left; close them first. */
  remove(): Promise<void>
}

export interface StoreKind {
  readonly name: 'sqlite' | 'mongodb'
  /** A place in which no document is. */
  place(): Promise<Place>
  /** A place in which nothing was ever opened: it is slow to make its tables, or its collections. */
  newPlace(): Promise<Place>
  /** A store in a place of its own, which goes when the store is closed. */
  open(): Promise<Store>
}

/** Every store that can be tested here: MongoDB only where MONGODB_URI names a server. */
export function stores(): StoreKind[] {
  const server = process.env.MONGODB_URI
  const sqlite = kind('sqlite', filledFolder, folderPlace)
  if (!server) return [sqlite]
  const used = (): Promise<Place> => usedPlace(server)
  const unused = (): Promise<Place> => newPlace(server)
  return [sqlite, kind('mongodb', used, unused)]
}

/**
 * For what goes on before a store, or uses it only as the cases and the contract prove on each: one of
 * them, and all in the long form. Tests of much that happens at once belong on each.
 */
export function oneStore(): StoreKind[] {
  return inForm({ short: stores().slice(0, 1), long: stores() })
}

function kind(
  name: StoreKind['name'],
  place: () => Promise<Place>,
  newPlace: () => Promise<Place>,
): StoreKind {
  return {
    name,
    place,
    newPlace,
    async open() {
      const own = await place()
      const store = await own.open()
      let closing: Promise<void> | undefined
      const close = (): Promise<void> => (closing ??= store.close().then(() => own.remove()))
      return { ...store, close }
    },
  }
}

async function folderPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-store-'))
  return {
    folder,
    open: () => openStore({ folder }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A folder with a file that has its tables. */
async function filledFolder(): Promise<Place> {
  const place = await folderPlace()
  await writeFile(join(place.folder, fileName), await (emptyFile ??= newFile()))
  return place
}

const fileName = 'abode.db'
let emptyFile: Promise<Buffer> | undefined

async function newFile(): Promise<Buffer> {
  const place = await folderPlace()
  try {
    await (await place.open()).close()
    return await readFile(join(place.folder, fileName))
  } finally {
    await place.remove()
  }
}

/** What a busy machine makes slow is no fault. Tests of what callers are told in time open a store themselves. */
const patient = { patienceMs: 60_000 }

/** In a new database. */
async function newPlace(server: string): Promise<Place> {
  const uri = inDatabase(server, newName())
  const local = await folderPlace()
  return {
    uri,
    folder: local.folder,
    open: () => openStore({ uri, folder: local.folder }, patient),
    async remove() {
      await local.remove()
      await dropDatabase(uri)
    },
  }
}

/** In a database of this run of the tests, which has its collections and indexes. */
async function usedPlace(server: string): Promise<Place> {
  const database = await takeDatabase(server)
  // For what a server keeps in its folder all the same.
  const local = await folderPlace()
  const { folder } = local
  return {
    get uri() {
      return database.address()
    },
    folder,
    open: async () => database.noting(await openStore({ uri: database.uri, folder }, patient)),
    async remove() {
      await local.remove()
      database.giveBack()
    },
  }
}
