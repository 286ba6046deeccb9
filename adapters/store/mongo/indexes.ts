import type { Collection, Db, IndexDescription } from 'mongodb'
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Index } from '#src/ports/documents.ts'
import { collections } from '#src/collections.ts'
import { mongoCode } from './errors.ts'
import { textIndex } from './search/text-index.ts'
import { StoreUnusable } from '../unusable.ts'

/** The form of the documents, kept in the collection `schema`. */
export const schemaVersion = 1

/** The server's code for what a user has no right to. */
const unauthorized = 13

/** Prepared at a time: with more of them, a slow server keeps the last waiting for a connection too long. */
const collectionsAtOnce = 8

/** How a database was left by whoever has prepared it: what need not be looked at one by one again. */
interface Prepared {
  /** Of which definitions its indexes are. */
  definitions: string
  collections: number
  indexes: number
}

interface Schema {
  _id: string
  version: number
  prepared?: Prepared
}

/** Makes the collections and indexes that are absent. @throws StoreUnusable, errors of the driver */
export async function prepareDatabase(db: Db): Promise<void> {
  const schemas = db.collection<Schema>('schema')
  const before = await checkedSchema(schemas)
  const wanted = wantedIndexes()
  if (before.prepared && isDeepStrictEqual(before.prepared, await state(db, wanted))) return
  const present = new Set<string>()
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    present.add(name)
  }
  const left = Object.entries(wanted)
  const make = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [name, indexes] = next
      // Made before the first transaction, which would hold up others while it makes them.
      if (!present.has(name)) await makeCollection(db, name)
      if (indexes.length > 0) await makeIndexes(db, name, indexes)
    }
  }
  await Promise.all(Array.from({ length: collectionsAtOnce }, make))
  const prepared = await state(db, wanted)
  if (prepared) await schemas.updateOne({ _id: before._id }, { $set: { prepared } })
}

type Wanted = Record<string, IndexDescription[]>

function wantedIndexes(): Wanted {
  return Object.fromEntries(
    Object.entries(collections).map(([name, { indexes, search }]) => {
      const wanted = indexes.map(description)
      return [name, search ? [...wanted, textIndex(search)] : wanted]
    }),
  )
}

/** How the database is now; undefined where this user may not ask. */
async function state(db: Db, wanted: Wanted): Promise<Prepared | undefined> {
  try {
    const stats = await db.command({ dbStats: 1 })
    return {
      definitions: hash('sha256', JSON.stringify(wanted), 'base64url'),
      collections: Number(stats.collections),
      indexes: Number(stats.indexes),
    }
  } catch (error) {
    if (mongoCode(error) === unauthorized) return undefined
    throw error
  }
}

async function checkedSchema(schemas: Collection<Schema>): Promise<Schema> {
  const made = { _id: 'schema', version: schemaVersion }
  const found = await schemas.findOne({ _id: made._id })
  if (found && found.version > schemaVersion) {
    throw new StoreUnusable(
      `The MongoDB database ${schemas.dbName} was written by a newer version of Abode (form ` +
        `${found.version}; this one knows up to ${schemaVersion}). Start that version, or name ` +
        'another database.',
    )
  }
  if (found) return found
  const { _id, ...rest } = made
  await schemas.updateOne({ _id }, { $setOnInsert: rest }, { upsert: true })
  return made
}

async function makeCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name)
  } catch (error) {
    // Another process that starts now has just made it.
    if (mongoCode(error) !== 48) throw error
  }
}

/** Names tell paths and directions, so that a changed index has another name. */
function description({ on, unique }: Index): IndexDescription {
  const paths = Object.entries(on)
  const last = paths.at(-1)
  const name = paths.map(([path, way]) => (way === -1 ? `${path}-` : path)).join(',')
  const key = Object.fromEntries(paths.map(([path, way]) => [path === 'id' ? '_id' : path, way]))
  const first = paths[0]?.[0] ?? ''
  // The id makes the order of a list complete, so that pages are read off the index unsorted.
  if (!unique) return { name, key: { ...key, _id: last?.[1] ?? 1 } }
  // Text only: null and missing are left out. A comparison, for the planner sees that an equality
  // with a text lies inside it, which it does not see of a condition on the type.
  return { name, key, unique, partialFilterExpression: { [first]: { $gte: '' } } }
}

async function makeIndexes(db: Db, name: string, wanted: IndexDescription[]): Promise<void> {
  const collection = db.collection(name)
  const present = await collection.indexes()
  const known = new Set(wanted.map((index) => index.name))
  for (const index of present) {
    if (index.name && index.name !== '_id_' && !known.has(index.name)) {
      await collection.dropIndex(index.name).catch((error: unknown) => {
        // Another process that starts now has just dropped it.
        if (mongoCode(error) !== 27) throw error
      })
    }
  }
  const names = new Set(present.map((index) => index.name))
  const absent = wanted.filter((index) => !names.has(index.name))
  if (absent.length > 0) await collection.createIndexes(absent)
}
