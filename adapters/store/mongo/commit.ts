import type { ClientSession, Collection, Db, MongoClient } from 'mongodb'
import type { CollectionName } from '#src/ports/documents.ts'
import { Unavailable, Unmet, type Write } from '#src/ports/store.ts'
import { changedBy } from '#src/touches.ts'
import { namedIn, told, type Names, type Telling } from './changes/names.ts'
import { isMongoError, mongoCode, mongoStoreError } from './errors.ts'
import { mongoChange, mongoFilter } from './filter.ts'
import type { Gate } from './gate.ts'
import type { Lanes } from './lanes.ts'
import { bound, toStoredDocument } from './values.ts'

/** A document in MongoDB; its key is the port's id. */
export interface Stored {
  _id: string
  [member: string]: unknown
}

/** Where commits are written. */
export interface Place {
  client: MongoClient
  db: Db
  gate: Gate
  lanes: Lanes
  changes: Telling
}

interface Step {
  in: CollectionName
  /** The index of its write among all, or of the first of its writes. */
  at: number
  /** Returns whether it matched. */
  run(within: Within): Promise<boolean>
}

/** The transaction that a step belongs to, and what gathers the names that it touches. */
interface Within {
  session?: ClientSession
  names: Names | undefined
}

/** Executes the writes, all or none. @throws DuplicateKey, Unmet, Unavailable */
export async function commitAll(
  { client, db, gate, lanes, changes }: Place,
  writes: readonly Write[],
): Promise<void> {
  const steps = stepsOf(db, writes)
  const [only] = steps
  if (!only) return
  if (steps.length > 1) {
    const transaction = new Transaction(client, gate.patienceMs, steps)
    const begin = (names: Names | undefined): Promise<void> =>
      lanes.pass(writes, () => transaction.run(names))
    return gate.pass(() => told(changes, begin), { wrote: () => transaction.isSent })
  }
  const matched = await gate.pass(() => told(changes, (names) => only.run({ names })), {
    collection: only.in,
    wrote: () => true,
  })
  if (!matched) throw new Unmet(only.in, 0)
}

/** One step per write, except that consecutive inserts into a collection are combined. */
function stepsOf(db: Db, writes: readonly Write[]): Step[] {
  const steps: Step[] = []
  for (let at = 0; at < writes.length;) {
    const write = writes[at]
    if (!write) break
    const inserts = insertsFrom(writes, at)
    const collection = db.collection<Stored>(write.in)
    if (inserts.length > 1) steps.push(insertion(collection, inserts, at))
    else steps.push(toStep(collection, write, at))
    at += Math.max(1, inserts.length)
  }
  return steps
}

type Insert = Extract<Write, { insert: unknown }>

function insertsFrom(writes: readonly Write[], from: number): Insert[] {
  const inserts: Insert[] = []
  for (let at = from; at < writes.length; at += 1) {
    const write = writes[at]
    if (!write || !('insert' in write) || write.in !== writes[from]?.in) break
    inserts.push(write)
  }
  return inserts
}

function insertion(collection: Collection<Stored>, inserts: readonly Insert[], at: number): Step {
  const documents = inserts.map(({ insert, more }) => toStoredDocument(withMore(insert, more)))
  // The collection was opened by this name.
  const name = collection.collectionName as CollectionName
  return {
    in: name,
    at,
    async run({ session, names }) {
      for (const stored of documents) names?.addStored(name, stored, 'inserted')
      return (await collection.insertMany(documents, { session })).acknowledged
    },
  }
}

function toStep(collection: Collection<Stored>, write: Write, at: number): Step {
  if ('insert' in write) {
    const document = toStoredDocument(withMore(write.insert, write.more))
    return {
      in: write.in,
      at,
      async run({ session, names }) {
        names?.addStored(write.in, document, 'inserted')
        return (await collection.insertOne(document, { session })).acknowledged
      },
    }
  }
  if ('delete' in write) {
    const remove = deletion(collection, write.delete)
    return { in: write.in, at, run: async (within) => (await remove(within)) >= 0 }
  }
  if ('replace' in write) {
    const document = toStoredDocument(write.replace)
    const filter = { $and: [mongoFilter(write.update), { _id: document._id }] }
    return {
      in: write.in,
      at,
      async run({ session, names }) {
        names?.addStored(write.in, document, 'replaced')
        return (await collection.replaceOne(filter, document, { session })).matchedCount === 1
      },
    }
  }
  return alteration(collection, write, at)
}

type Alteration = Extract<Write, { change: unknown }>

function alteration(collection: Collection<Stored>, write: Alteration, at: number): Step {
  const filter = mongoFilter(write.update)
  const change = mongoChange(write.change)
  const projection = namedIn(write.in)
  const how = changedBy(write.change)
  return {
    in: write.in,
    at,
    async run({ session, names }) {
      if (!session && !change) return (await collection.findOne(filter)) !== null
      const update = session ? binding(change) : { ...change }
      if (!names || !projection) {
        return matches(await collection.updateOne(filter, update, { session }))
      }
      const options = { session, projection, returnDocument: 'after' } as const
      const stored = await collection.findOneAndUpdate(filter, update, options)
      if (stored) names.addStored(write.in, stored, how)
      return stored !== null
    },
  }
}

function matches({ matchedCount }: { matchedCount: number }): boolean {
  return matchedCount === 1
}

/**
 * That the document matched must still be true when the transaction commits. MongoDB writes nothing if
 * all values stay the same, and then a concurrent change or deletion would not conflict: so there is
 * always something to write.
 */
function binding(change: { $inc?: object } = {}): object {
  return { ...change, $inc: { ...change.$inc, [bound]: 1 } }
}

function withMore(document: { id: string }, more: string | null | undefined): { id: string } {
  // The text is the inside of a JSON object.
  return more ? { ...document, ...(JSON.parse(`{${more}}`) as object) } : document
}

/** Deletes every match and returns their number. */
export function deletion(
  collection: Collection<Stored>,
  filter: object,
): (within: Within) => Promise<number> {
  const query = mongoFilter(filter)
  // The driver can retry deleting one document when the connection fails, but not several.
  const one = 'id' in filter && typeof filter.id === 'string'
  return async ({ session, names }) => {
    await names?.addLeaving(collection, query, session)
    const done = one
      ? await collection.deleteOne(query, { session })
      : await collection.deleteMany(query, { session })
    return done.deletedCount
  }
}

/** Steps that are executed together, within a deadline that begins when they are requested. */
class Transaction {
  readonly #client: MongoClient
  readonly #steps: readonly Step[]
  /** Before that of the gate, whose timer begins later but may fire a little early. */
  readonly #deadline: number
  #isSent = false

  constructor(client: MongoClient, patienceMs: number, steps: readonly Step[]) {
    this.#deadline = performance.now() + patienceMs - 10
    this.#client = client
    this.#steps = steps
  }

  /** Whether the commit may have been sent; before that, the server discards the transaction. */
  get isSent(): boolean {
    return this.#isSent
  }

  async run(names: Names | undefined): Promise<void> {
    const session = this.#client.startSession()
    try {
      await session.withTransaction(() => this.#attempt({ session, names }), {
        readConcern: { level: 'snapshot' },
      })
    } finally {
      // Ends an attempt that is still running, too.
      void session.endSession()
    }
  }

  async #attempt(within: Within): Promise<void> {
    this.#isSent = false
    // The driver would retry for two minutes after conflicts and elections.
    this.#needTime()
    for (const step of this.#steps) {
      const matched = await step.run(within).catch((error: unknown) => {
        throw explained(error, step)
      })
      if (!matched) throw new Unmet(step.in, step.at)
    }
    // The gate has told the caller by now that nothing was done.
    this.#needTime()
    this.#isSent = true
  }

  #needTime(): void {
    if (performance.now() > this.#deadline) {
      throw new Unavailable('a transaction did not end in time')
    }
  }
}

/** Adds the collection to a duplicate error; errors that the driver may retry pass unchanged. */
function explained(error: unknown, step: Step): unknown {
  const again = isMongoError(error) && error.hasErrorLabel('TransientTransactionError')
  return mongoCode(error) === 11000 && !again ? mongoStoreError(error, step.in, false) : error
}
