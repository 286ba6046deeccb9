import type { ClientSession, Collection, Db, MongoClient } from 'mongodb'
import type { CollectionName } from '#src/ports/documents.ts'
import { Unavailable, Unmet, type Write } from '#src/ports/store.ts'
import { isMongoError, mongoCode, mongoStoreError } from './errors.ts'
import { mongoChange, mongoFilter } from './filter.ts'
import { type Gate, patienceMs } from './gate.ts'
import type { Lanes } from './lanes.ts'
import { bound, toStoredDocument } from './values.ts'

/** A document as MongoDB has it; its key is the id of the port. */
export interface Stored {
  _id: string
  [member: string]: unknown
}

/** Where commits go. */
export interface Place {
  client: MongoClient
  db: Db
  gate: Gate
  lanes: Lanes
}

interface Step {
  in: CollectionName
  /** The place of its write, or of the first of them, among all. */
  at: number
  /** Gives whether it matched. */
  run(session?: ClientSession): Promise<boolean>
}

/** Does the writes, all or none. @throws DuplicateKey, Unmet, Unavailable */
export async function commitAll(
  { client, db, gate, lanes }: Place,
  writes: readonly Write[],
): Promise<void> {
  const steps = stepsOf(db, writes)
  const [only] = steps
  if (!only) return
  if (steps.length > 1) {
    const transaction = new Transaction(client, steps)
    const begin = (): Promise<void> => lanes.pass(writes, () => transaction.run())
    return gate.pass(begin, { wrote: () => transaction.isSent })
  }
  const matched = await gate.pass(() => only.run(), { collection: only.in, wrote: () => true })
  if (!matched) throw new Unmet(only.in, 0)
}

/** One for each write, but that documents which come one after the other into a collection go together. */
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
  return {
    // Its name is one of ours: it was opened by it.
    in: collection.collectionName as CollectionName,
    at,
    run: async (session) => (await collection.insertMany(documents, { session })).acknowledged,
  }
}

function toStep(collection: Collection<Stored>, write: Write, at: number): Step {
  if ('insert' in write) {
    const document = toStoredDocument(withMore(write.insert, write.more))
    return {
      in: write.in,
      at,
      run: async (session) => (await collection.insertOne(document, { session })).acknowledged,
    }
  }
  if ('delete' in write) {
    const remove = deletion(collection, write.delete)
    return { in: write.in, at, run: async (session) => (await remove(session)) >= 0 }
  }
  if ('replace' in write) {
    const document = toStoredDocument(write.replace)
    const filter = { $and: [mongoFilter(write.update), { _id: document._id }] }
    return {
      in: write.in,
      at,
      run: async (session) =>
        (await collection.replaceOne(filter, document, { session })).matchedCount === 1,
    }
  }
  const filter = mongoFilter(write.update)
  const change = mongoChange(write.change)
  return {
    in: write.in,
    at,
    run: async (session) => {
      if (session) return matches(await collection.updateOne(filter, binding(change), { session }))
      if (change) return matches(await collection.updateOne(filter, change))
      return (await collection.findOne(filter)) !== null
    },
  }
}

function matches({ matchedCount }: { matchedCount: number }): boolean {
  return matchedCount === 1
}

/**
 * Whether the document was met must still hold when the transaction is through. MongoDB writes nothing
 * where everything is as it was set, and then nobody who changes or deletes it meanwhile is held off:
 * so there is always something to write.
 */
function binding(change: { $inc?: object } = {}): object {
  return { ...change, $inc: { ...change.$inc, [bound]: 1 } }
}

function withMore(document: { id: string }, more: string | null | undefined): { id: string } {
  // It is the inside of an object.
  return more ? { ...document, ...(JSON.parse(`{${more}}`) as object) } : document
}

/** Deletes every match and gives their number. */
export function deletion(
  collection: Collection<Stored>,
  filter: object,
): (session?: ClientSession) => Promise<number> {
  const query = mongoFilter(filter)
  // Of one document the driver repeats the deletion when the connection fails; of many it cannot.
  const one = 'id' in filter && typeof filter.id === 'string'
  return async (session) => {
    const done = one
      ? await collection.deleteOne(query, { session })
      : await collection.deleteMany(query, { session })
    return done.deletedCount
  }
}

/** Steps that are done together, from the moment in which they are asked for. */
class Transaction {
  readonly #client: MongoClient
  readonly #steps: readonly Step[]
  readonly #deadline = performance.now() + patienceMs
  #isSent = false

  constructor(client: MongoClient, steps: readonly Step[]) {
    this.#client = client
    this.#steps = steps
  }

  /** Until the commit is sent, the server drops what it was told. */
  get isSent(): boolean {
    return this.#isSent
  }

  async run(): Promise<void> {
    const session = this.#client.startSession()
    try {
      await session.withTransaction(() => this.#attempt(session), {
        readConcern: { level: 'snapshot' },
      })
    } finally {
      // Ends an attempt that is still going on, too.
      void session.endSession()
    }
  }

  async #attempt(session: ClientSession): Promise<void> {
    this.#isSent = false
    // The driver would go on for two minutes after conflicts and elections.
    if (performance.now() > this.#deadline) {
      throw new Unavailable('a transaction did not end in time')
    }
    for (const step of this.#steps) {
      const matched = await step.run(session).catch((error: unknown) => {
        throw explained(error, step)
      })
      if (!matched) throw new Unmet(step.in, step.at)
    }
    this.#isSent = true
  }
}

/** A duplicate is told with its collection; what the driver may try again passes as it is. */
function explained(error: unknown, step: Step): unknown {
  const again = isMongoError(error) && error.hasErrorLabel('TransientTransactionError')
  return mongoCode(error) === 11000 && !again ? mongoStoreError(error, step.in, false) : error
}
