import type { Collection, Db, IndexDescription } from 'mongodb'
import { mongoCode } from '../errors.ts'

/** What a process has touched since its note before. */
export interface Note {
  /** The process that wrote it. */
  origin: string
  /** Its number among those of the process, from 1 and without a gap. */
  n: number
  names: readonly string[]
}

/** A change stream that is open. */
export interface ChangeFeed {
  close(): Promise<void>
}

/** What a change stream calls. */
export interface FeedListener {
  note(note: Note): void
  failed(error: unknown): void
}

/** Where the processes on a database leave their notes, and register. */
export interface ChangeStore {
  /** The notes of others, those of each in their order; of processes that are known only later ones. */
  notesAfter(known: ReadonlyMap<string, number>): Promise<Note[]>
  /** Safe to repeat. */
  add(note: Note): Promise<void>
  removeUpTo(n: number): Promise<void>
  /** Registered processes, each with a number that grows while it lives. */
  readers(): Promise<ReadonlyMap<string, number>>
  /** Registers this process, or shows that it lives. */
  beat(): Promise<void>
  leave(): Promise<void>
  /** Removes a process that has shown no life since that number. */
  drop(origin: string, beat: number): Promise<void>
  /** A change stream of the notes of others. */
  openFeed(listener: FeedListener): ChangeFeed
  isUnsupported(error: unknown): boolean
}

/** Notes that were not read after so long are read by no one: readers look at everything after half of it. */
export const keptSeconds = 60
const readAtOnce = 1_000

/** The indexes of both collections. */
export const changeIndexes: Readonly<Record<string, IndexDescription[]>> = {
  changes: [
    { name: 'at', key: { at: 1 }, expireAfterSeconds: keptSeconds },
    { name: 'origin,n', key: { origin: 1, n: 1 } },
  ],
  readers: [],
}

interface StoredNote extends Note {
  _id: string
  at: Date
}

interface StoredReader {
  _id: string
  beat: number
}

/**
 * The notes and registrations of a database.
 * @param origin this process
 * @param now the server's clock, by which notes expire
 */
export function changeStoreIn(db: Db, origin: string, now: () => Promise<Date>): ChangeStore {
  const notes: Collection<StoredNote> = db.collection('changes')
  const readers: Collection<StoredReader> = db.collection('readers')
  return {
    async notesAfter(known) {
      const later = [...known].map(([of, n]) => ({ origin: of, n: { $gt: n } }))
      const unknown = { origin: { $nin: [origin, ...known.keys()] } }
      const inOrder = { sort: { origin: 1, n: 1 }, limit: readAtOnce } as const
      return notes.find({ $or: [...later, unknown] }, inOrder).toArray()
    },
    async add(note) {
      try {
        await notes.insertOne({ _id: `${origin}.${note.n}`, at: await now(), ...note })
      } catch (error) {
        // It was written when no answer came.
        if (mongoCode(error) !== 11000) throw error
      }
    },
    async removeUpTo(n) {
      await notes.deleteMany({ origin, n: { $lte: n } })
    },
    async readers() {
      const found = await readers.find().toArray()
      return new Map(found.map(({ _id, beat }) => [_id, beat]))
    },
    async beat() {
      await readers.updateOne({ _id: origin }, { $inc: { beat: 1 } }, { upsert: true })
    },
    async leave() {
      await readers.deleteOne({ _id: origin })
    },
    async drop(of, beat) {
      await readers.deleteOne({ _id: of, beat })
    },
    openFeed: (listener) => feedOf(notes, origin, listener),
    isUnsupported: (error) => mongoCode(error) === 115,
  }
}

function feedOf(notes: Collection<StoredNote>, origin: string, listener: FeedListener): ChangeFeed {
  // The server leaves out what this process has written itself.
  const ofOthers = { operationType: 'insert', 'fullDocument.origin': { $ne: origin } }
  const stream = notes.watch([{ $match: ofOthers }])
  stream.on('change', (change) => {
    if (change.operationType === 'insert') listener.note(change.fullDocument)
  })
  stream.on('error', (error) => listener.failed(error))
  return { close: () => stream.close() }
}
