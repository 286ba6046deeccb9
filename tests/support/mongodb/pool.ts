import type { OpenedStore } from '#adapters/store/opened.ts'
import { inDatabase, prefixOf, runVariable } from './databases.ts'
import { Writings } from './writings.ts'

/** One of this worker's databases. */
interface Database {
  readonly uri: string
  /** Since it was last empty. */
  readonly writings: Writings
  isTaken: boolean
}

const databases: Database[] = []

export interface TakenDatabase {
  /** Its address, for those who may write what they like there. */
  address(): string
  /** A store that was opened on it. */
  noting(store: OpenedStore): OpenedStore
  /** The address, for `noting` alone. */
  readonly uri: string
  /** Lets the next who asks have it. */
  giveBack(): void
}

/**
 * An empty database of this worker's. To make the collections and indexes of a store takes MongoDB
 * longer than most tests take, so each database is made once and emptied for the next use, also by the
 * next test file: a worker runs one file at a time.
 */
export async function takeDatabase(server: string): Promise<TakenDatabase> {
  const database = databases.find(({ isTaken }) => !isTaken) ?? newDatabase(server)
  database.isTaken = true
  const { uri, writings } = database
  await writings.undo()
  return {
    uri,
    address() {
      writings.ofOthers()
      return uri
    },
    noting: (store) => writings.noting(store),
    giveBack: () => void (database.isTaken = false),
  }
}

function newDatabase(server: string): Database {
  const { VITEST_POOL_ID: worker, [runVariable]: run } = process.env
  if (!worker || !run) throw new Error('only a run of the tests shares databases')
  const uri = inDatabase(server, `${prefixOf(run)}${worker}_${databases.length}`)
  // Another process of this worker's may have had it before.
  const database = { uri, writings: new Writings(uri), isTaken: false }
  databases.push(database)
  return database
}
