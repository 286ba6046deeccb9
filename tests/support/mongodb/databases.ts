import { randomBytes } from 'node:crypto'
import { MongoClient, type Db } from 'mongodb'

/**
 * Names the databases of this run of the tests, so that they can be dropped together. Workers inherit it
 * from the process that starts them (`suite/databases.ts`).
 */
export const runVariable = 'TESTS_RUN'

/** What the names of all databases of a run begin with. */
export function prefixOf(run: string): string {
  return `abode_test_${run}_`
}

/** The name of a database that is not there yet. */
export function newName(): string {
  return `${prefixOf(process.env[runVariable] ?? 'alone')}${randomBytes(8).toString('hex')}`
}

/** The address of another database on the same server. */
export function inDatabase(server: string, name: string): string {
  const [, hosts, query = ''] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? []
  if (!hosts) throw new Error('MONGODB_URI is no address of a MongoDB server')
  return `${hosts}/${name}${query}`
}

/** Removes a database with all that is in it. */
export async function dropDatabase(uri: string): Promise<void> {
  await withClient(uri, (client) => client.db().dropDatabase())
}

/**
 * Removes every document of these collections, by default of all that a store has, and leaves them and
 * their indexes.
 */
export async function emptyDatabase(uri: string, names?: readonly string[]): Promise<void> {
  const db = keptClient(uri).db()
  const emptied = names ?? (await namesIn(db))
  await Promise.all(emptied.map((name) => db.collection(name).deleteMany({})))
}

async function namesIn(db: Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  // The form of the database stays as it is.
  return found.map(({ name }) => name).filter((name) => !/^(system\.|schema$)/.test(name))
}

/** Drops every database that this run has made. */
export async function dropDatabasesOf(server: string, run: string): Promise<void> {
  await withClient(server, async (client) => {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true })
    const own = databases.map(({ name }) => name).filter((name) => name.startsWith(prefixOf(run)))
    for (const name of own) await client.db(name).dropDatabase()
  })
}

/** By the address of the database, which the next test empties again: they end with their process. */
const clients = new Map<string, MongoClient>()

/** A client that stays connected: to connect takes as long as to empty a few collections. */
function keptClient(uri: string): MongoClient {
  const client = clients.get(uri) ?? new MongoClient(uri)
  clients.set(uri, client)
  return client
}

async function withClient(uri: string, act: (client: MongoClient) => Promise<unknown>) {
  const client = new MongoClient(uri)
  try {
    await act(client)
  } finally {
    await client.close()
  }
}
