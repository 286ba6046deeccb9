import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '#adapters/store/open.ts'
import type { Store } from '#src/ports/store.ts'

/** An empty place of its own for a store. More than one store, as of more processes, may open it. */
export interface Place {
  /** The address of a database that is not there yet; absent for the embedded store. */
  readonly uri?: string
  readonly folder: string
  open(): Promise<Store>
  /** Removes what the stores have left; close them first. */
  remove(): Promise<void>
}

export interface StoreKind {
  readonly name: 'sqlite' | 'mongodb'
  place(): Promise<Place>
  /** A store in a place of its own, which goes when the store is closed. */
  open(): Promise<Store>
}

/** Every store that can be tested here: MongoDB only where MONGODB_URI names a server. */
export function stores(): StoreKind[] {
  const server = process.env.MONGODB_URI
  const sqlite = kind('sqlite', () => newPlace(undefined))
  return server ? [sqlite, kind('mongodb', () => newPlace(server))] : [sqlite]
}

function kind(name: StoreKind['name'], place: () => Promise<Place>): StoreKind {
  return {
    name,
    place,
    async open() {
      const own = await place()
      const store = await own.open()
      let closing: Promise<void> | undefined
      const close = (): Promise<void> => (closing ??= store.close().then(() => own.remove()))
      return { ...store, close }
    },
  }
}

async function newPlace(server: string | undefined): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-store-'))
  const uri = server && inDatabase(server, `abode_test_${randomBytes(8).toString('hex')}`)
  return {
    uri,
    folder,
    open: () => openStore({ uri, folder }),
    remove: async () => {
      await rm(folder, { recursive: true, force: true })
      if (uri) await dropDatabase(uri)
    },
  }
}

/** The address of another database on the same server. */
export function inDatabase(server: string, name: string): string {
  const [, hosts, query = ''] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? []
  if (!hosts) throw new Error('MONGODB_URI is no address of a MongoDB server')
  return `${hosts}/${name}${query}`
}

async function dropDatabase(uri: string): Promise<void> {
  const { MongoClient } = await import('mongodb')
  const client = new MongoClient(uri)
  try {
    await client.db().dropDatabase()
  } finally {
    await client.close()
  }
}
