import { MongoClient, type CommandStartedEvent } from 'mongodb'
import { openStore } from '#adapters/store/open.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import type { Place } from '#tests/support/stores.ts'

/** What a command of the adapter selects documents by, as the server was sent it. */
export interface Selection {
  collection: string
  filter: Record<string, unknown>
  sort: object | undefined
}

/** A document that the adapter has sent to be inserted. */
export interface Insertion {
  collection: string
  document: Record<string, unknown>
}

/** A store on MongoDB, and what it has selected by and inserted since. */
export interface RecordedStore {
  store: OpenedStore
  selections: Selection[]
  insertions: Insertion[]
}

/** Opens the store there and records the commands that its driver sends. */
export async function openRecorded({ uri = '', folder }: Place): Promise<RecordedStore> {
  const selections: Selection[] = []
  const insertions: Insertion[] = []
  const connecting = Object.getOwnPropertyDescriptor(MongoClient.prototype, 'connect')
  if (!connecting) throw new Error('clients do not connect')
  const connect = connecting.value as (this: MongoClient) => Promise<MongoClient>
  // The client is the adapter's own: it is known from when it connects.
  MongoClient.prototype.connect = function (this: MongoClient) {
    this.removeAllListeners('commandStarted')
    this.on('commandStarted', (event) => {
      selections.push(...selectionsOf(event))
      insertions.push(...insertionsOf(event))
    })
    return connect.call(this)
  }
  try {
    const monitored = `${uri}${uri.includes('?') ? '&' : '?'}monitorCommands=true`
    const store = await openStore({ uri: monitored, folder }, { patienceMs: 60_000 })
    return { store, selections, insertions }
  } finally {
    Object.defineProperty(MongoClient.prototype, 'connect', connecting)
  }
}

/** The driver's events hold the commands as plain objects. */
interface Command {
  filter: Record<string, unknown>
  query: Record<string, unknown>
  sort?: object
  updates: { q: Record<string, unknown> }[]
  deletes: { q: Record<string, unknown> }[]
  pipeline: { $match?: Record<string, unknown> }[]
  documents: Record<string, unknown>[]
}

function insertionsOf({ commandName, command }: CommandStartedEvent): Insertion[] {
  if (commandName !== 'insert') return []
  const { insert, documents } = command as unknown as Command & { insert: string }
  return documents.map((document) => ({ collection: insert, document }))
}

function selectionsOf({ commandName, command }: CommandStartedEvent): Selection[] {
  const { filter, query, sort, updates, deletes, pipeline } = command as unknown as Command
  const collection = String(command[commandName])
  const by = (one: Record<string, unknown> | undefined): Selection => ({
    collection,
    filter: one ?? {},
    sort,
  })
  switch (commandName) {
    case 'find':
      return [by(filter)]
    case 'findAndModify':
      return [by(query)]
    case 'update':
      return updates.map(({ q }) => by(q))
    case 'delete':
      return deletes.map(({ q }) => by(q))
    case 'aggregate':
      return [by(pipeline[0]?.$match)]
    default:
      return []
  }
}
