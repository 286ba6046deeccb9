import type { Collection as Driver, Document, FindCursor } from 'mongodb'
import { memberAt } from '#src/core/maps.ts'
import type { CollectionName, CollectionDefinition } from '#src/ports/documents.ts'
import type { Collection, FindOptions, Picked, Row } from '#src/ports/store.ts'
import { checkedPath } from '../checked.ts'
import { deletion, type Stored } from './commit.ts'
import { mongoChange, mongoFilter, mongoSort } from './filter.ts'
import { type Gate, reading } from './gate.ts'
import { fromStoredDocument, toStoredDocument } from './values.ts'

/** The collection of the port over one of MongoDB. */
export function collectionOf<T extends { id: string }>(
  driver: Driver<Stored>,
  name: CollectionName,
  definition: CollectionDefinition,
  gate: Gate,
): Collection<T> {
  // Every document of the collection was stored as a T, and changes keep to the paths of T.
  const toDocument = (stored: Stored): T => fromStoredDocument(stored) as unknown as T
  const writing = { collection: name, wrote: () => true }
  const hidden = Object.fromEntries(
    definition.hidden.filter((member) => member !== 'id').map((member) => [member, 0]),
  )
  const hidesId = definition.hidden.includes('id')

  function found(filter: object, options: FindOptions<T>, projection?: Document) {
    const query = mongoFilter(filter)
    const { limit } = options
    // To MongoDB a limit of 0 is none.
    if (limit !== undefined && limit < 1) return undefined
    const cursor = driver.find(query, { sort: mongoSort(options.sort), projection })
    // One batch where it may be: the driver's own first batch ends at 101.
    if (limit !== undefined) cursor.limit(Math.trunc(limit)).batchSize(Math.min(limit, 1_000) + 1)
    return cursor
  }

  async function look(filter: object, options: FindOptions<T>, projection?: Document) {
    const cursor = found(filter, options, projection)
    return cursor ? gate.pass(() => cursor.toArray(), reading) : []
  }

  function rowOf(stored: Stored): Row {
    const { id, ...members } = fromStoredDocument(stored)
    return { id, text: JSON.stringify(hidesId ? members : { id, ...members }) }
  }

  /** The driver reads a document out of its batch as it is asked for. */
  async function until(cursor: FindCursor<Stored>, charactersAtMost: number): Promise<Row[]> {
    const rows: Row[] = []
    let characters = 0
    for await (const stored of cursor) {
      const row = rowOf(stored)
      rows.push(row)
      characters += row.text.length
      if (characters > charactersAtMost && rows.length > 1) break
    }
    return rows
  }

  return {
    async get(id) {
      const query = mongoFilter({ id })
      const stored = await gate.pass(() => driver.findOne(query), reading)
      return stored ? toDocument(stored) : undefined
    },
    async find(filter, options = {}) {
      const found = await look(filter, options)
      return found.map(toDocument)
    },
    async count(filter) {
      const query = mongoFilter(filter)
      return gate.pass(() => driver.countDocuments(query), reading)
    },
    async text(filter, options = {}) {
      const { charactersAtMost } = options
      if (charactersAtMost === undefined) {
        return (await look(filter, options, hidden)).map(rowOf)
      }
      const cursor = found(filter, options, hidden)
      return cursor ? gate.pass(() => until(cursor, charactersAtMost), reading) : []
    },
    async pick(paths, filter, options = {}) {
      const projection = Object.fromEntries(paths.map((path) => [checkedPath(path), 1]))
      const found = await look(filter, options, projection)
      return found.map((stored) => {
        const document = fromStoredDocument(stored)
        return paths.map((path) => pickedFrom(document, path))
      })
    },
    async insert(document) {
      const stored = toStoredDocument(document)
      await gate.pass(() => driver.insertOne(stored), writing)
    },
    async update(filter, change, options = {}) {
      const query = mongoFilter(filter)
      const update = mongoChange(change)
      const sort = mongoSort(options.sort)
      const stored = update
        ? await gate.pass(
            () => driver.findOneAndUpdate(query, update, { sort, returnDocument: 'after' }),
            writing,
          )
        : await gate.pass(() => driver.findOne(query, { sort }), reading)
      return stored ? toDocument(stored) : undefined
    },
    async delete(filter) {
      const remove = deletion(driver, filter)
      return gate.pass(() => remove(), writing)
    },
  }
}

/** Texts and numbers as they are, truth values as numbers, as the embedded store has them. */
function pickedFrom(document: object, path: string): Picked[number] {
  const value = memberAt(document, path)
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
