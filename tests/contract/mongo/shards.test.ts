import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collections } from '#src/collections.ts'
import type { CollectionName } from '#src/ports/documents.ts'
import { startWork } from '#src/work/work.ts'
import { agentWithTasks } from '#tests/bench/documents.ts'
import { memberOf, raised } from '#tests/support/members.ts'
import {
  openRecorded,
  type Insertion,
  type RecordedStore,
  type Selection,
} from '#tests/support/mongodb/recorded.ts'
import { standInModels } from '#tests/support/stand-in-models.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld } from '#tests/support/world.ts'
import { askedByCalls, askedByLoops } from './asks-all.ts'

type Made = Record<'id' | 'status', string>

const kind = stores().find((one) => one.name === 'mongodb')

/** The paths that a filter names, with the operators other than equality. */
function shapeOf({ collection, filter }: Selection): string {
  const paths = Object.entries(filter).map(([path, test]) => {
    if (path === '$or' || path === '$and') return path
    const [operator = '$eq'] = Object.keys(test ?? {})
    return operator === '$eq' ? path : `${path} ${operator}`
  })
  return `${collection}: ${paths.toSorted().join(', ')}`
}

/** Whether the server can tell from the filter which shards hold what it selects. */
function names(filter: Record<string, unknown>, path: string): boolean {
  const test = filter[path]
  if (typeof test === 'string') return true
  if (typeof test === 'object' && test !== null && ('$eq' in test || '$in' in test)) return true
  const within = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list : [])
  const branches = within(filter['$or'])
  if (within(filter['$and']).some((one) => names(one, path))) return true
  return branches.length > 0 && branches.every((one) => names(one, path))
}

function keyOf(collection: string): string | null {
  // A collection of the store's own stays whole.
  if (!(collection in collections)) return null
  const { shardKey } = collections[collection as CollectionName]
  return shardKey === 'id' ? '_id' : shardKey
}

describe.skipIf(!kind)('what the hot path selects by on MongoDB', () => {
  let place: Place
  const recorded: Selection[] = []
  const inserted: Insertion[] = []
  beforeAll(async () => {
    if (!kind) return
    place = await kind.place()
    const { selections, insertions } = await played(place)
    recorded.push(...selections)
    inserted.push(...insertions)
  })
  afterAll(() => place.remove())

  it('names the shard key of its collection, but where it is said why not', () => {
    const without = recorded.filter(({ collection, filter }) => {
      const key = keyOf(collection)
      return key !== null && !names(filter, key)
    })
    // A loop may not have come to its turn.
    const shapes = new Set(without.map(shapeOf)).difference(new Set(Object.keys(askedByLoops)))
    expect([...shapes].toSorted()).toEqual(Object.keys(askedByCalls).toSorted())
  })

  it('is in every document that is stored', () => {
    const without = inserted.filter(({ collection, document }) => {
      const key = keyOf(collection)
      return key !== null && typeof document[key] !== 'string'
    })
    expect(inserted.length).toBeGreaterThan(20)
    expect(new Set(without.map(({ collection }) => collection))).toEqual(new Set())
  })

  it('is found by an index, also by one that holds only the documents where a path is set', async () => {
    if (!kind) return
    // An engine that has counted the few documents of tests may rather read them all. It has counted none here.
    const uncounted = await kind.newPlace()
    await (await uncounted.open()).close()
    const client = new MongoClient(uncounted.uri ?? '')
    const scanned = new Set<string>()
    for (const one of new Map(recorded.map((each) => [shapeOf(each), each])).values()) {
      const { collection, filter, sort } = one
      // Searches have an index of their own; nothing is sought for an empty list.
      if (!(collection in collections) || JSON.stringify(filter).includes('$text')) continue
      if (JSON.stringify(filter).includes('"$in":[]')) continue
      const found = client
        .db()
        .collection(collection)
        .find(filter, sort ? { sort: sort as never } : {})
      if (JSON.stringify(await found.explain()).includes('COLLSCAN')) scanned.add(shapeOf(one))
    }
    await client.close()
    await uncounted.remove()
    expect([...scanned]).toEqual([])
  })
})

/** Plays what callers do most, and the work that follows. @returns what was selected by and inserted */
async function played(place: Place): Promise<Omit<RecordedStore, 'store'>> {
  const { store, selections, insertions } = await openRecorded(place)
  const models = { ...standInModels(), isConfigured: () => true }
  const world = openWorld(store, { models })
  const { key, id: owner_id } = await world.account()
  const ask = (name: string, input: object, as = key): Promise<Made> => world.ask(name, input, as)
  const work = startWork(world.ports, ['runner', 'scheduler', 'deliveries', 'knowledge'], 4)
  const brain = { llm_provider: 'openai', llm_model: 'writes' }
  const say = { name: 'Say it', task_id: 'say', prompt: 'Say it.' }
  const run = async (char_id: string): Promise<string> => {
    const { id } = await ask('tasks.run', { char_id, task_id: 'say', wait_seconds: 0 })
    await until(async () => (await ask('runs.get', { run_id: id })).status === 'completed')
    await until(async () => (await store.events.count({ owner_id })) === 0)
    return id
  }
  const agentOf = async (id: string): Promise<void> => {
    await ask('characters.create', { character: { ...agentWithTasks(id), brain } })
    await ask('tasks.create', { char_id: id, task: say })
  }
  // What a process looks at once, as it starts, is none of the hot path.
  await agentOf('grace')
  await run('grace')
  const author = await memberOf(world)
  const other = await memberOf(world)
  for (const { handle } of [author, other]) await raised(store, handle, 3)
  selections.length = 0

  const char_id = 'ada'
  await agentOf(char_id)
  await ask('characters.get', { char_id })
  await ask('characters.list', {})
  await ask('tasks.get', { char_id, task_id: 'say' })
  await ask('tasks.list', { char_id })
  await ask('tasks.update', { char_id, task_id: 'say', task: { ...say, name: 'Say it well' } })
  await ask('tasks.run', { char_id, task_id: 'greet', input: { name: 'visitor' } })
  const run_id = await run(char_id)
  await ask('runs.get', { run_id })
  await ask('runs.events', { run_id })
  await ask('runs.list', {})
  await ask('runs.list', { char_id })
  await ask('messages.send', { char_id, to: 'grace', body: 'The figures are ready.' })
  await ask('messages.list', { char_id })
  const entry = { char_id, namespace: 'notes', key: 'first' }
  for (const text of ['Tides are kept in tables.', 'Tides follow the moon.']) {
    await ask('memory.put', { ...entry, value: { text } })
  }
  await ask('memory.get', entry)
  await ask('memory.search', { char_id, q: 'tides' })
  await ask('feed.post', { char_id, content: 'The figures are ready.' })
  await ask('feed.home', {})
  const body = 'I have tried some ways, and none of them was good.'
  const thread = { board: 'ask', title: 'How are figures compared?', body, tags: ['http'] }
  const { id: thread_id } = await ask('commons.threads.create', thread, author.token)
  await ask('commons.replies.create', { thread_id, body: 'One by one.' }, other.token)
  const vote = { target_type: 'thread', target_id: thread_id, value: 1 }
  await ask('commons.votes.cast', vote, other.token)
  await ask('commons.threads.get', { thread_id }, author.token)
  await ask('commons.threads.list', { board: 'ask' }, author.token)
  await ask('commons.replies.list', { thread_id }, author.token)
  await ask('commons.search.query', { q: 'figures' }, author.token)
  const found = { selections: [...selections], insertions }
  await work.stop()
  await store.close()
  return found
}
