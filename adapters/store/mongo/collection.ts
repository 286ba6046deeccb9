import { BSON, type Collection as Driver, type Document, type FindCursor } from 'mongodb'
import { memberAt } from '#src/core/maps.ts'
import type { CollectionName, CollectionDefinition } from '#src/ports/documents.ts'
import type { Change, Collection, FindOptions, Picked, ReadOptions, Row } from '#src/ports/store.ts'
import { changedBy } from '#src/touches.ts'
import { checkedPath } from '../checked.ts'
import { told, type Names } from './changes/names.ts'
import { deletion, type Place, type Stored } from './commit.ts'
import { mongoChange, mongoFilter, mongoSort } from './filter.ts'
import { type Gate, type Purpose, reading } from './gate.ts'
import { fromStoredDocument, toStoredDocument } from './values.ts'

/** The port's collection over one of MongoDB: an object whose methods can be wrapped one by one. */
export function collectionOf<T extends { id: string }>(
  driver: Driver<Stored>,
  name: CollectionName,
  definition: CollectionDefinition,
  place: Pick<Place, 'gate' | 'changes'>,
): Collection<T> {
  const own = new MongoCollection<T>(driver, name, definition, place)
  return {
    get: (id) => own.get(id),
    find: (filter, options) => own.find(filter, options),
    count: (filter, atMost) => own.count(filter, atMost),
    text: (filter, options) => own.text(filter, options),
    pick: (paths, filter, options) => own.pick(paths, filter, options),
    insert: (document) => own.insert(document),
    update: (filter, change, options) => own.update(filter, change, options),
    delete: (filter) => own.delete(filter),
  }
}

class MongoCollection<T extends { id: string }> {
  readonly #driver: Driver<Stored>
  readonly #name: CollectionName
  readonly #gate: Gate
  readonly #changes: Place['changes']
  readonly #writing: Purpose
  /** The projection that leaves out hidden members. */
  readonly #shown: Document
  readonly #hidesId: boolean

  constructor(
    driver: Driver<Stored>,
    name: CollectionName,
    { hidden }: CollectionDefinition,
    { gate, changes }: Pick<Place, 'gate' | 'changes'>,
  ) {
    this.#name = name
    this.#driver = driver
    this.#gate = gate
    this.#changes = changes
    this.#writing = { collection: name, wrote: () => true }
    this.#hidesId = hidden.includes('id')
    const members = hidden.filter((member) => member !== 'id')
    this.#shown = Object.fromEntries(members.map((member) => [member, 0]))
  }

  async get(id: string): Promise<T | undefined> {
    const query = mongoFilter({ id })
    const stored = await this.#gate.pass(() => this.#driver.findOne(query), reading)
    return stored ? this.#document(stored) : undefined
  }

  async find(filter: object, options: ReadOptions<T> = {}): Promise<T[]> {
    const { charactersAtMost } = options
    if (charactersAtMost === undefined) {
      const found = await this.#look(filter, options)
      return found.map((stored) => this.#document(stored))
    }
    const cursor = this.#cursor(filter, options)
    if (!cursor) return []
    const found = await this.#gate.pass(() => storedUntil(cursor, charactersAtMost), reading)
    return found.map((stored) => this.#document(stored))
  }

  async count(filter: object, atMost?: number): Promise<number> {
    const query = mongoFilter(filter)
    const options = atMost === undefined ? {} : { limit: atMost }
    return this.#gate.pass(() => this.#driver.countDocuments(query, options), reading)
  }

  async text(filter: object, options: ReadOptions<T> = {}): Promise<Row[]> {
    const { charactersAtMost } = options
    const hidesId = this.#hidesId
    if (charactersAtMost === undefined) {
      const found = await this.#look(filter, options, this.#shown)
      return found.map((stored) => rowOf(stored, hidesId))
    }
    const cursor = this.#cursor(filter, options, this.#shown)
    if (!cursor) return []
    return this.#gate.pass(() => rowsUntil(cursor, hidesId, charactersAtMost), reading)
  }

  async pick(
    paths: readonly string[],
    filter: object,
    options: FindOptions<T> = {},
  ): Promise<Picked[]> {
    const projection = Object.fromEntries(paths.map((path) => [checkedPath(path), 1]))
    const found = await this.#look(filter, options, projection)
    return found.map((stored) => {
      const document = fromStoredDocument(stored)
      return paths.map((path) => pickedFrom(document, path))
    })
  }

  async insert(document: T): Promise<void> {
    const stored = toStoredDocument(document)
    const write = (names: Names | undefined) => {
      names?.addStored(this.#name, stored, 'inserted')
      return this.#driver.insertOne(stored)
    }
    await this.#gate.pass(() => told(this.#changes, write), this.#writing)
  }

  async update(
    filter: object,
    change: Change<T>,
    options: FindOptions<T> = {},
  ): Promise<T | undefined> {
    const query = mongoFilter(filter)
    const update = mongoChange(change)
    const sort = mongoSort(options.sort)
    if (!update) {
      const found = await this.#gate.pass(() => this.#driver.findOne(query, { sort }), reading)
      return found ? this.#document(found) : undefined
    }
    const how = changedBy(change)
    const write = async (names: Names | undefined): Promise<Stored | null> => {
      const after = { sort, returnDocument: 'after' } as const
      const found = await this.#driver.findOneAndUpdate(query, update, after)
      if (found) names?.addStored(this.#name, found, how)
      return found
    }
    const stored = await this.#gate.pass(() => told(this.#changes, write), this.#writing)
    return stored ? this.#document(stored) : undefined
  }

  async delete(filter: object): Promise<number> {
    const remove = deletion(this.#driver, filter)
    const write = (names: Names | undefined): Promise<number> => remove({ names })
    return this.#gate.pass(() => told(this.#changes, write), this.#writing)
  }

  /** Every document of the collection was stored as a T, and changes are limited to the paths of T. */
  #document(stored: Stored): T {
    return fromStoredDocument(stored) as unknown as T
  }

  #cursor(
    filter: object,
    { sort, limit }: FindOptions<T>,
    projection?: Document,
  ): FindCursor<Stored> | undefined {
    const query = mongoFilter(filter)
    // For MongoDB a limit of 0 means none.
    if (limit !== undefined && limit < 1) return undefined
    const cursor = this.#driver.find(query, { sort: mongoSort(sort), projection })
    // One batch if possible: the driver's own first batch ends at 101.
    if (limit !== undefined) cursor.limit(Math.trunc(limit)).batchSize(Math.min(limit, 1_000) + 1)
    return cursor
  }

  async #look(filter: object, options: FindOptions<T>, projection?: Document): Promise<Stored[]> {
    const cursor = this.#cursor(filter, options, projection)
    return cursor ? this.#gate.pass(() => cursor.toArray(), reading) : []
  }
}

function rowOf(stored: Stored, hidesId: boolean): Row {
  const { id, ...members } = fromStoredDocument(stored)
  return { id, text: JSON.stringify(hidesId ? members : { id, ...members }) }
}

/** The driver decodes each document of a batch only when it is asked for. */
async function rowsUntil(
  cursor: FindCursor<Stored>,
  hidesId: boolean,
  charactersAtMost: number,
): Promise<Row[]> {
  const rows: Row[] = []
  let characters = 0
  for await (const stored of cursor) {
    const row = rowOf(stored, hidesId)
    rows.push(row)
    characters += row.text.length
    if (characters > charactersAtMost && rows.length > 1) break
  }
  return rows
}

async function storedUntil(
  cursor: FindCursor<Stored>,
  charactersAtMost: number,
): Promise<Stored[]> {
  const documents: Stored[] = []
  let bytes = 0
  for await (const stored of cursor) {
    documents.push(stored)
    bytes += BSON.calculateObjectSize(stored)
    if (bytes > charactersAtMost && documents.length > 1) break
  }
  return documents
}

/** Texts and numbers unchanged, booleans as numbers, as the embedded store returns them. */
function pickedFrom(document: object, path: string): Picked[number] {
  const value = memberAt(document, path)
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
