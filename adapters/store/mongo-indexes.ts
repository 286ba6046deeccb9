import type { Db, IndexDescription } from 'mongodb'
import { collections, type Index } from '#src/collections.ts'
import { mongoCode } from './mongo-errors.ts'
import { textIndex } from './mongo-search/text-index.ts'
import { StoreUnusable } from './unusable.ts'

/** The form of the documents, kept in the collection `schema`. */
export const schemaVersion = 1

/** Makes the collections and indexes that are absent. @throws StoreUnusable, errors of the driver */
export async function prepareDatabase(db: Db): Promise<void> {
  await checkVersion(db)
  const present = new Set<string>()
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    present.add(name)
  }
  await Promise.all(
    Object.entries(collections).map(async ([name, { indexes, search }]) => {
      // Made before the first transaction, which would hold up others while it makes them.
      if (!present.has(name)) await makeCollection(db, name)
      const wanted = indexes.map(description)
      if (search) wanted.push(textIndex(search))
      if (wanted.length > 0) await makeIndexes(db, name, wanted)
    }),
  )
}

async function checkVersion(db: Db): Promise<void> {
  const versions = db.collection<{ _id: string; version: number }>('schema')
  const found = await versions.findOne({ _id: 'schema' })
  if (found && found.version > schemaVersion) {
    throw new StoreUnusable(
      `The MongoDB database ${db.databaseName} was written by a newer version of Abode (form ` +
        `${found.version}; this one knows up to ${schemaVersion}). Start that version, or name ` +
        'another database.',
    )
  }
  if (found) return
  await versions.updateOne(
    { _id: 'schema' },
    { $setOnInsert: { version: schemaVersion } },
    { upsert: true },
  )
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
