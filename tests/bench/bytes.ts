import { MongoClient } from 'mongodb'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { collections } from '#src/collections.ts'
import { openStore } from '#adapters/store/open.ts'
import { memberOf, raised } from '#tests/support/members.ts'
import { dropDatabase, inDatabase, newName } from '#tests/support/mongodb/databases.ts'
import { openWorld } from '#tests/support/world.ts'
import { agentWithTasks } from './documents.ts'
import { prose } from './prose.ts'

/** What a collection takes: bytes as the store says, a share of its pages included. */
interface Taken {
  documents: number
  data: number
  indexes: number
}

type Sizes = ReadonlyMap<string, Taken>

/** How much is stored: agents with two tasks each in so many accounts, and so many of each for an agent. */
const amounts = { accounts: 10, agents: 50, runs: 8, messages: 4, memory: 2, posts: 2 }
const forum = { members: 20, threads: 150, replies: 6 }
const atOnce = 32

/** Stores what servers store, by the product's own operations. */
async function fill(uri: string | undefined, folder: string): Promise<void> {
  const place = uri === undefined ? { folder } : { uri, folder }
  // A server that others use too may be slow.
  const store = await openStore(place, { patienceMs: 60_000 })
  try {
    const world = openWorld(store)
    for (let account = 0; account < amounts.accounts; account++) {
      const { key } = await world.account()
      await each(amounts.agents, async (n) => {
        const char_id = `agent-${account}-${n}`
        await world.ask('characters.create', { character: agentWithTasks(char_id) }, key)
        const input = { name: `visitor ${n}` }
        for (let i = 0; i < amounts.runs; i++) {
          await world.ask('tasks.run', { char_id, task_id: 'greet', input }, key)
        }
        for (let i = 0; i < amounts.messages; i++) {
          const body = `The figures of day ${i} are ready. ${prose(n * 10 + i, 200)}`
          await world.ask('messages.send', { char_id, to: char_id, body }, key)
        }
        for (let i = 0; i < amounts.memory; i++) {
          const value = { text: prose(n * 20 + i, 200) }
          await world.ask('memory.put', { char_id, namespace: 'notes', key: `k${i}`, value }, key)
        }
        for (let i = 0; i < amounts.posts; i++) {
          const post = { char_id, content: prose(n * 30 + i, 400) }
          await world.ask('feed.post', post, key)
        }
      })
    }
    const members = await Promise.all(Array.from({ length: forum.members }, () => memberOf(world)))
    for (const { handle } of members) await raised(store, handle, 3)
    const token = (n: number): string => members[n % members.length]?.token ?? ''
    await each(forum.threads, async (n) => {
      const title = `How are figures of kind ${n} compared, and by whom?`
      const thread = { board: 'ask', title, body: prose(n, 1000), tags: ['http', `tag-${n % 9}`] }
      const made = await world.ask<{ id: string }>('commons.threads.create', thread, token(n))
      for (let i = 0; i < forum.replies; i++) {
        const reply = { thread_id: made.id, body: prose(n * 40 + i, 500) }
        await world.ask('commons.replies.create', reply, token(n + i + 1))
      }
    })
  } finally {
    await store.close()
  }
}

async function each(count: number, act: (n: number) => Promise<void>): Promise<void> {
  for (let begun = 0; begun < count; begun += atOnce) {
    const some = Math.min(atOnce, count - begun)
    await Promise.all(Array.from({ length: some }, (_, i) => act(begun + i)))
  }
}

function sqliteSizes(folder: string): Sizes {
  const database = new DatabaseSync(join(folder, 'abode.db'), { readOnly: true })
  const bytes = new Map<string, number>()
  for (const row of database
    .prepare('SELECT name, SUM(pgsize) AS n FROM dbstat GROUP BY 1')
    .all()) {
    bytes.set(String(row.name), Number(row.n))
  }
  const sizes = new Map<string, Taken>()
  for (const name of Object.keys(collections)) {
    const row = database.prepare(`SELECT COUNT(*) AS n FROM "${name}"`).get()
    const taken = { documents: Number(row?.n), data: bytes.get(name) ?? 0, indexes: 0 }
    for (const [tree, size] of bytes) {
      // The tables of a search are named after that of the documents, as indexes are.
      const isOurs = tree.startsWith(`${name}:`) || tree.startsWith(`sqlite_autoindex_${name}_`)
      if (isOurs) taken.indexes += size
    }
    sizes.set(name, taken)
  }
  database.close()
  return sizes
}

async function mongoSizes(uri: string): Promise<Sizes> {
  const client = new MongoClient(uri)
  const sizes = new Map<string, Taken>()
  for (const name of Object.keys(collections)) {
    const found = await client.db().command({ collStats: name })
    const [documents, data, indexes] = ['count', 'storageSize', 'totalIndexSize'].map((member) =>
      Number(found[member]),
    )
    sizes.set(name, { documents: documents ?? 0, data: data ?? 0, indexes: indexes ?? 0 })
  }
  await client.close()
  return sizes
}

async function measured(server: string | undefined): Promise<Sizes> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-bytes-'))
  const uri = server === undefined ? undefined : inDatabase(server, newName())
  try {
    await fill(uri, folder)
    return uri === undefined ? sqliteSizes(folder) : await mongoSizes(uri)
  } finally {
    await rm(folder, { recursive: true, force: true })
    if (uri !== undefined) await dropDatabase(uri)
  }
}

function print(name: string, sizes: Sizes): void {
  process.stdout.write(`\n${name}: documents, bytes of each, bytes of index of each\n`)
  for (const [collection, { documents, data, indexes }] of sizes) {
    // With few documents, the pages of empty indexes would be most of it.
    if (documents < 100) continue
    const [own, index] = [data, indexes].map((bytes) => Math.round(bytes / documents))
    process.stdout.write(`${collection.padEnd(24)} ${documents} ${own} ${index}\n`)
  }
}

// The bytes that documents and their indexes take on each store: `node tests/bench/bytes.ts`, on MongoDB
// where MONGODB_URI names a server.
print('embedded', await measured(undefined))
if (process.env.MONGODB_URI) print('MongoDB', await measured(process.env.MONGODB_URI))
