import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'

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

/** Removes every document of a database, and leaves its collections and indexes. */
export async function emptyDatabase(uri: string): Promise<void> {
  await withClient(uri, async (client) => {
    const db = client.db()
    const found = await db.listCollections({}, { nameOnly: true }).toArray()
    const names = found.map(({ name }) => name).filter((name) => !name.startsWith('system.'))
    await Promise.all(names.map((name) => db.collection(name).deleteMany({})))
  })
}

/** Drops every database that this run has made. */
export async function dropDatabasesOf(server: string, run: string): Promise<void> {
  await withClient(server, async (client) => {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true })
    const own = databases.map(({ name }) => name).filter((name) => name.startsWith(prefixOf(run)))
    for (const name of own) await client.db(name).dropDatabase()
  })
}

async function withClient(uri: string, act: (client: MongoClient) => Promise<unknown>) {
  const client = new MongoClient(uri)
  try {
    await act(client)
  } finally {
    await client.close()
  }
}
