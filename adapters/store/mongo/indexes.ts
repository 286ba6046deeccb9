import type { Collection, Db, IndexDescription } from 'mongodb'
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Index } from '#src/ports/documents.ts'
import { collections } from '#src/collections.ts'
import { changeIndexes } from './changes/change-store.ts'
import { mongoCode } from './errors.ts'
import { textIndex } from './search/text-index.ts'
import { StoreUnusable } from '../unusable.ts'

/** The version of the documents' form, kept in the collection `schema`. */
export const schemaVersion = 2

/** The server's code for a missing permission. */
const unauthorized = 13

/** Prepared at a time: with more, a slow server keeps the last ones waiting for a connection too long. */
const collectionsAtOnce = 8

/** The state in which the last preparation left a database: what matches it need not be checked again. */
interface Prepared {
  /** The definitions that its indexes were made from. */
  definitions: string
  collections: number
  indexes: number
}

interface Schema {
  _id: string
  version: number
  prepared?: Prepared
}

/** Creates the missing collections and indexes. @throws StoreUnusable, errors of the driver */
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
      // Created before the first transaction, which would otherwise hold up others while creating them.
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
  const wanted = Object.entries(collections).map(([name, { indexes, search }]) => {
    const described = indexes.map(description)
    return [name, search ? [...described, textIndex(search)] : described]
  })
  return { ...Object.fromEntries(wanted), ...changeIndexes }
}

/** The current state of the database; undefined if this user may not read it. */
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
  if (found) {
    // From now on an older version does not start on it.
    const raised = { $max: { version: schemaVersion } }
    if (found.version < schemaVersion) await schemas.updateOne({ _id: found._id }, raised)
    return found
  }
  const { _id, ...rest } = made
  await schemas.updateOne({ _id }, { $setOnInsert: rest }, { upsert: true })
  return made
}

async function makeCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name)
  } catch (error) {
    // Another process that is starting has just created it.
    if (mongoCode(error) !== 48) throw error
  }
}

/** Stands in a name between the paths and the one that has to be set. */
const whereSet = '?'

/** Names include paths, directions and what is left out, so that a changed index has another name. */
function description({ on, unique, sparse, ofNumbers }: Index): IndexDescription {
  const paths = Object.entries(on)
  const last = paths.at(-1)
  const name = paths.map(([path, way]) => (way === -1 ? `${path}-` : path)).join(',')
  const key = Object.fromEntries(paths.map(([path, way]) => [path === 'id' ? '_id' : path, way]))
  const first = paths[0]?.[0] ?? ''
  // The id makes the order of a list complete, so that pages are read from the index without sorting.
  const ordered = { name, key: { ...key, _id: last?.[1] ?? 1 } }
  if (!unique && sparse === undefined) return ordered
  // Of one type only: null and missing values are left out. Written as a comparison, because the planner
  // recognises that an equality with a text lies inside it, which it does not for a type condition; of a filter
  // that is open below, `filter.ts` says so.
  if (unique) return { name, key, unique, partialFilterExpression: { [first]: { $gte: '' } } }
  const least = ofNumbers ? -Infinity : ''
  return {
    ...ordered,
    name: `${name}${whereSet}${sparse}`,
    partialFilterExpression: { [String(sparse)]: { $gte: least } },
  }
}

/** Whether a version of Abode has made it: it is named by its paths, as a server never names one by itself. */
function isOurs({ name: whole, key }: { name: string; key: object }): boolean {
  if (whole.startsWith('search:')) return true
  const [name = ''] = whole.split(whereSet)
  const paths = Object.entries(key).map(([path, way]) => {
    const own = path === '_id' ? 'id' : path
    return way === -1 ? `${own}-` : own
  })
  const all = paths.join(',')
  // The id at the end is not in the name.
  return name === all || all === `${name},id` || all === `${name},id-`
}

/** The server's codes for an index that another of the same paths stands in the way of. */
const inTheWay: ReadonlySet<unknown> = new Set([85, 86])

/** Makes what is absent first, and then drops what it replaces, so that no work goes on without an index. */
async function makeIndexes(db: Db, name: string, wanted: IndexDescription[]): Promise<void> {
  const collection = db.collection(name)
  const present = await collection.indexes()
  const names = new Set(present.map((index) => index.name))
  const absent = wanted.filter((index) => !names.has(index.name))
  const isMade = absent.length === 0 || (await areMade(collection, absent))
  await dropOthers(collection, present, wanted)
  if (!isMade) await collection.createIndexes(absent)
}

/** @returns false where one that is to be dropped stands in their way */
async function areMade(collection: Collection, absent: IndexDescription[]): Promise<boolean> {
  try {
    await collection.createIndexes(absent)
    return true
  } catch (error) {
    if (inTheWay.has(mongoCode(error))) return false
    throw error
  }
}

async function dropOthers(
  collection: Collection,
  present: readonly { name?: string; key: object }[],
  wanted: IndexDescription[],
): Promise<void> {
  const known = new Set(wanted.map((index) => index.name))
  for (const { name = '', key } of present) {
    // One that an operator has made stays.
    if (name === '_id_' || known.has(name) || !isOurs({ name, key })) continue
    await collection.dropIndex(name).catch((error: unknown) => {
      // Another process that is starting has just dropped it.
      if (mongoCode(error) !== 27) throw error
    })
  }
}
