import { MongoClient, type MongoClientOptions } from 'mongodb'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { collections } from '#src/collections.ts'
import type { Files } from '#src/ports/files.ts'
import type { CollectionName, CollectionDefinition } from '#src/ports/documents.ts'
import type { Collection, Row, TextRead } from '#src/ports/store.ts'
import { Changes } from './changes/changes.ts'
import { changeStoreIn } from './changes/change-store.ts'
import { collectionOf } from './collection.ts'
import { ServerClock } from './clock.ts'
import { commitAll } from './commit.ts'
import { HeardConnection } from './connection.ts'
import { isAway, isMisnamed, isSilent } from './away.ts'
import { Gate, reading } from './gate.ts'
import { gridFiles } from './gridfs.ts'
import { Lanes } from './lanes.ts'
import { prepareDatabase, schemaVersion } from './indexes.ts'
import { searchDocuments } from './search/search.ts'
import type { OpenedStore } from '../opened.ts'
import type { Disk } from '../space/watch.ts'
import { StoreUnusable } from '../unusable.ts'
import { sizesOf, tallied } from './tally.ts'

export interface MongoTerms {
  /** How long the server may take to become available after this process starts. */
  startMs?: number
  /** How long a call may take. */
  patienceMs?: number
}

/** Also stores files, and reports the server's disk space. */
export type MongoStore = OpenedStore & { files: Files; disk: () => Promise<Disk | undefined> }

/**
 * The store on a MongoDB replica set, including files, in the database that the address names, else
 * `abode`.
 * @throws StoreUnusable
 */
export async function openMongo(
  uri: string,
  { startMs = 10_000, patienceMs = 5_000 }: MongoTerms = {},
): Promise<MongoStore> {
  const client = newClient(uri, patienceMs)
  const gate = new Gate(client, patienceMs)
  // Without a database in the address, the driver would use `test`.
  const db = /^[^/]*\/\/[^/]+\/[^?]/.test(uri) ? client.db() : client.db('abode')
  try {
    await connected(client, performance.now() + startMs)
    await prepareDatabase(db)
  } catch (error) {
    await client.close()
    throw error instanceof StoreUnusable ? error : unusable(client, error)
  }
  const clock = new ServerClock(async () => (await db.admin().command({ hello: 1 })).localTime)
  const origin = randomBytes(9).toString('base64url')
  const changes = new Changes(
    changeStoreIn(db, origin, () => clock.now()),
    origin,
  )
  await changes.open().catch(() => undefined)
  const place = { client, db, gate, lanes: new Lanes(), changes }
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await changes.close()
    await gate.close()
    await changes.leave()
    await client.close()
  }
  const members = new Map<CollectionName, AnyCollection>()
  const store: Omit<MongoStore, CollectionName> = {
    form: schemaVersion,
    files: gridFiles(db, gate),
    disk: () => gate.pass(async () => diskIn(await db.command({ dbStats: 1 })), reading),
    tally: (tally) => gate.pass(() => tallied(db, tally), reading),
    sizes: () => gate.pass(() => sizesOf(db), reading),
    commit: (writes) => commitAll(place, writes),
    texts: (reads) => Promise.all(reads.map((read) => textOf(members, read))),
    watch: (listener) => changes.watch(listener),
    now: () => gate.pass(() => clock.now(), reading),
    leaseTime: () => gate.pass(() => clock.now(), reading),
    search: (name, query, options) =>
      searchDocuments(db.collection(name), gate, name, collections[name], query, options),
    isHealthy: () =>
      gate
        .pass(() => db.collection('meta').findOne({}), reading)
        .then(
          () => true,
          () => false,
        ),
    close: () => (closing ??= end()),
  }
  // Object.entries loses the key types of the table.
  for (const [name, definition] of Object.entries(collections) as [
    CollectionName,
    CollectionDefinition,
  ][]) {
    members.set(name, collectionOf(db.collection(name), name, definition, place))
  }
  // One collection of each name was added above; the names are those of the type.
  return Object.assign(Object.fromEntries(members), store) as unknown as MongoStore
}

type AnyCollection = Collection<{ id: string }>

async function textOf(
  members: ReadonlyMap<CollectionName, AnyCollection>,
  { in: name, filter, options }: TextRead,
): Promise<Row[]> {
  const collection = members.get(name)
  if (!collection) throw new TypeError(`there is no collection ${name}`)
  return collection.text(filter, options)
}

/** Servers report the disk that holds their data; not all of them do. */
function diskIn(stats: { fsTotalSize?: unknown; fsUsedSize?: unknown }): Disk | undefined {
  const { fsTotalSize: all, fsUsedSize: used } = stats
  if (typeof all !== 'number' || typeof used !== 'number' || all <= 0) return undefined
  return { free: all - used, all }
}

function newClient(uri: string, patienceMs: number): MongoClient {
  // The driver gives up before the gate does, and its error says more.
  const driverMs = 0.8 * patienceMs
  try {
    const options: MongoClientOptions & { connectionType: unknown } = {
      appName: 'abode',
      // An option of the driver's that its types leave out.
      connectionType: HeardConnection,
      // Acknowledged means that a majority has it on disk.
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: driverMs },
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      retryWrites: true,
      retryReads: true,
      // A caller is told within two seconds that the server is unavailable.
      serverSelectionTimeoutMS: 1_500,
      connectTimeoutMS: 2_000,
      heartbeatFrequencyMS: 2_000,
      waitQueueTimeoutMS: driverMs,
      ignoreUndefined: true,
      promoteBuffers: true,
      // The driver looks up members in this object; a plain object would also have `constructor`, so
      // lists of that name would be returned as bytes.
      fieldsAsRaw: Object.create(null),
    }
    return new MongoClient(uri, options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreUnusable(`The address of MongoDB cannot be used: ${reason}`, { cause: error })
  }
}

/** Waits until the server accepts writes, as long as it is only away. @throws StoreUnusable, errors of the driver */
async function connected(client: MongoClient, deadline: number): Promise<void> {
  for (;;) {
    try {
      // After a failed connection, the driver tries again only when told to.
      await client.connect()
      const hello = await client.db('admin').command({ hello: 1 })
      if (hello.isWritablePrimary && (hello.setName || hello.msg === 'isdbgrid')) return
      if (!hello.setName && hello.msg !== 'isdbgrid') throw standalone(client)
      if (performance.now() > deadline) throw noPrimary(client, hello.primary !== undefined)
    } catch (error) {
      const isFinal = error instanceof StoreUnusable || !isAway(error)
      if (isFinal || performance.now() > deadline) throw error
    }
    await sleep(200)
  }
}

function addresses(client: MongoClient): string {
  return client.options.srvHost ?? client.options.hosts.map((host) => host.toString()).join(', ')
}

function standalone(client: MongoClient): StoreUnusable {
  return new StoreUnusable(
    `The MongoDB server at ${addresses(client)} is a standalone server. Abode needs a replica set, for its ` +
      'transactions; one server will do: start it with --replSet rs0 and run rs.initiate() once.',
  )
}

/** @param isKnown whether it is another member; else there is none until the members have elected one */
function noPrimary(client: MongoClient, isKnown: boolean): StoreUnusable {
  if (!isKnown) {
    return new StoreUnusable(
      `The replica set of the MongoDB server at ${addresses(client)} has no primary for now: see with ` +
        'rs.status() which members are there.',
      { isAway: true },
    )
  }
  return new StoreUnusable(
    `The MongoDB server at ${addresses(client)} is not the primary of its replica set. Name all ` +
      'members with replicaSet=<name> in the address, or the primary.',
  )
}

function unusable(client: MongoClient, cause: unknown): StoreUnusable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (isMisnamed(cause)) {
    return new StoreUnusable(
      `No MongoDB server at ${addresses(client)} is of the replica set that MONGODB_URI names: see ` +
        'there what replicaSet says.',
      { cause },
    )
  }
  if (isSilent(cause)) {
    return new StoreUnusable(
      `No MongoDB server answers at ${addresses(client)} (${reason}): check that it runs, that ` +
        'this machine may reach it, and what MONGODB_URI says.',
      { cause, isAway: isAway(cause) },
    )
  }
  return new StoreUnusable(`MongoDB at ${addresses(client)} cannot be used: ${reason}`, {
    cause,
    isAway: isAway(cause),
  })
}
