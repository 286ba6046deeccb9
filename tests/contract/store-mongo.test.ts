import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MongoClient } from 'mongodb'
import { openMongo } from '#adapters/store/mongo.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { type MongoProxy, openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import {
  hiding,
  ids,
  plain,
  thing,
  type Things,
  things,
  type ThingWrite,
  unique,
} from './store-things.ts'

const kind = stores().find((one) => one.name === 'mongodb')

function newPlace(): Promise<Place> {
  if (!kind) throw new Error('these sentences are skipped without MONGODB_URI')
  return kind.place()
}

describe.skipIf(!kind)('the store on MongoDB', () => {
  let place: Place
  let proxy: MongoProxy
  let store: Things
  beforeAll(async () => {
    place = await newPlace()
    proxy = await openMongoProxy(place.uri ?? '')
    store = things(await openMongo(proxy.uri))
  })
  beforeEach(async () => {
    await Promise.all([store[plain].delete({}), store[hiding].delete({})])
    await store[plain].insert(thing('a', { n: 1 }))
  })
  afterEach(() => {
    proxy.accept()
  })
  afterAll(async () => {
    await store.close()
    await proxy.close()
    await place.remove()
  })

  const pair: ThingWrite[] = [
    { in: plain, update: { id: 'a' }, change: { $inc: { n: 1 } } },
    { in: hiding, insert: thing('r') },
  ]

  const operations: [command: string, run: () => Promise<unknown>, outcome: unknown][] = [
    ['find', () => store[plain].get('a'), thing('a', { n: 1 })],
    ['aggregate', () => store[plain].count({}), 1],
    ['insert', () => store[plain].insert(thing('b')), undefined],
    ['findAndModify', () => store[plain].update({}, { $inc: { n: 1 } }), thing('a', { n: 2 })],
    ['delete', () => store[plain].delete({ id: 'a' }), 1],
    [
      'update',
      () => store.commit([{ in: plain, update: {}, change: { $inc: { n: 1 } } }]),
      undefined,
    ],
    ['insert', () => store.commit(pair), undefined],
    ['update', () => store.commit(pair), undefined],
    ['commitTransaction', () => store.commit(pair), undefined],
  ]

  it.each(operations)(
    'does %s once although the request is lost on its way',
    async (command, run, outcome) => {
      proxy.fail(command, 'lose request')
      const before = proxy.failed
      expect(await run()).toEqual(outcome)
      expect(proxy.failed).toBe(before + 1)
      expect(await store[plain].count({ n: { $gt: 2 } })).toBe(0)
    },
  )

  it.each(operations)(
    'does %s once although the server has just lost an election',
    async (command, run, outcome) => {
      proxy.fail(command, 'not primary')
      const before = proxy.failed
      expect(await run()).toEqual(outcome)
      expect(proxy.failed).toBe(before + 1)
      expect(await store[plain].count({ n: { $gt: 2 } })).toBe(0)
    },
  )

  it('commits once although the answer to the commit is lost', async () => {
    proxy.fail('commitTransaction', 'lose answer')
    await store.commit(pair)
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 2 }))
    expect(await store[hiding].count({})).toBe(1)
  })

  it('says that the outcome of a write is unknown when its answers are lost', async () => {
    proxy.fail('findAndModify', 'lose answer', 2)
    const write = store[plain].update({ id: 'a' }, { $set: { n: 7 } })
    await expect(write).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: true })
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 7 }))
    proxy.fail('find', 'lose answer', 2)
    const read = store[plain].get('a')
    await expect(read).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: false })
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 7 }))
  })

  it('begins a transaction anew after a conflict with another', async () => {
    proxy.fail('update', 'conflict', 3)
    proxy.fail('commitTransaction', 'conflict')
    await store.commit(pair)
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 2 }))
  })

  it('gives up a transaction that never gets through, having done nothing', async () => {
    proxy.fail('commitTransaction', 'conflict')
    proxy.fail('update', 'none')
    proxy.fail('update', 'not primary', 1_000)
    const refused = store.commit(pair)
    await expect(refused).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: false })
    proxy.accept()
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 1 }))
    await store.commit(pair)
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 2 }))
  })

  it('is unavailable while the server is away, and back without a restart', async () => {
    proxy.refuse()
    // What is under way when it goes may have been done; what comes after is known not to be.
    await expect(store[plain].insert(thing('b'))).rejects.toMatchObject({ name: 'Unavailable' })
    const outcomes = await Promise.allSettled([
      store[plain].get('a'),
      store[plain].insert(thing('c')),
      store[plain].update({ id: 'a' }, { $inc: { n: 1 } }),
      store[plain].delete({}),
      store.commit(pair),
    ])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { name: 'Unavailable', outcomeUnknown: false } })
    }
    expect(await store.isHealthy()).toBe(false)
    const waiting = store[plain].insert(thing('d'))
    await proxy.refused()
    proxy.accept()
    await waiting
    const kept = ids(await store[plain].find({ id: { $ne: 'b' } }, { sort: { id: 1 } }))
    expect(kept).toEqual(['a', 'd'])
    expect(await store.isHealthy()).toBe(true)
  })

  it('keeps nobody waiting for a server that takes connections and says nothing', async () => {
    proxy.stall()
    const outcomes = await Promise.allSettled([
      store[plain].get('a'),
      store[plain].insert(thing('b')),
      store.commit(pair),
    ])
    expect(outcomes).toMatchObject([
      { reason: { name: 'Unavailable', outcomeUnknown: false } },
      { reason: { name: 'Unavailable', outcomeUnknown: true } },
      { reason: { name: 'Unavailable', outcomeUnknown: false } },
    ])
    proxy.accept()
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 1 }))
  })

  it('loses nothing that it said was done while connections are cut under load', async () => {
    const done: string[] = []
    const outcomes: unknown[] = []
    const worker = async (name: string): Promise<void> => {
      for (let n = 0; n < 20; n += 1) {
        const id = `${name}${n}`
        try {
          await store[plain].insert(thing(id))
          done.push(id)
          if (done.length % 40 === 0) proxy.cut()
        } catch (error) {
          outcomes.push(error instanceof Error ? error.name : error)
        }
      }
    }
    await Promise.all(Array.from({ length: 12 }, (_, n) => worker(`w${n}-`)))
    // A server that does not remember retried writes takes the second try of one for another.
    expect(outcomes.filter((name) => name !== 'Unavailable' && name !== 'DuplicateKey')).toEqual([])
    expect(done.length).toBeGreaterThan(100)
    const kept = new Set(ids(await store[plain].find({})))
    expect(done.filter((id) => !kept.has(id))).toEqual([])
  })

  it('finds unique values by their index', async () => {
    await store[unique].insert(thing('c', { token_hash: 't', code_hash: null }))
    const client = new MongoClient(place.uri ?? '')
    const plan = await client
      .db()
      .collection(unique)
      .find({ token_hash: { $eq: 't' } })
      .explain()
    await client.close()
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('"indexName":"token_hash"')
  })
})

describe.skipIf(!kind)('opening the store on MongoDB', () => {
  let place: Place
  beforeEach(async () => {
    place = await newPlace()
  })
  afterEach(async () => {
    await place.remove()
  })

  const refusal = async (uri: string, startMs?: number): Promise<Error> => {
    const refused = await openMongo(uri, startMs).catch((error: unknown) => error)
    if (refused instanceof StoreUnusable) return refused
    throw new Error('it was opened, or failed without words', { cause: refused })
  }

  it('says in words what an address must be, without its password', async () => {
    expect((await refusal('http://user:secret@host/')).message).toMatch(
      /^The address of MongoDB cannot/,
    )
    expect((await refusal('mongodb://u:secret@127.0.0.1:1/x', 0)).message).not.toContain('secret')
  })

  it('says in words that nobody answers there', async () => {
    // Long enough for the driver to be asked more than once.
    const { message } = await refusal(
      'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=1000',
      2_000,
    )
    expect(message).toMatch(
      /^No MongoDB server answers at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\): check/,
    )
  })

  it('says in words that it needs a replica set', async () => {
    const proxy = await openMongoProxy(place.uri ?? '')
    proxy.standAlone()
    expect((await refusal(proxy.uri)).message).toMatch(/stands alone\. Abode needs a replica set/)
    await proxy.close()
  })

  it('waits for a server that comes up after it', async () => {
    const proxy = await openMongoProxy(place.uri ?? '')
    proxy.refuse()
    const opening = openMongo(proxy.uri)
    const begun = performance.now()
    // The driver itself gives up sooner.
    while (performance.now() - begun < 2_500) await proxy.refused()
    proxy.accept()
    const store = await opening
    expect(await store.isHealthy()).toBe(true)
    await store.close()
    await proxy.close()
  })

  it('refuses a database of a newer version, in words', async () => {
    const store = await place.open()
    await store.close()
    const client = new MongoClient(place.uri ?? '')
    await client
      .db()
      .collection('schema')
      .updateOne({}, { $inc: { version: 1 } })
    await client.close()
    expect((await refusal(place.uri ?? '')).message).toMatch(
      /was written by a newer version of Abode/,
    )
  })

  it('makes the indexes follow their definitions', async () => {
    await (await place.open()).close()
    const client = new MongoClient(place.uri ?? '')
    const runs = client.db().collection(hiding)
    const before = await runs.indexes()
    await runs.dropIndex('due_at')
    await runs.createIndex({ gone: 1 }, { name: 'gone' })
    await (await place.open()).close()
    const names = (indexes: { name?: string }[]): Set<unknown> =>
      new Set(indexes.map((one) => one.name))
    expect(names(await runs.indexes())).toEqual(names(before))
    await client.close()
  })
})
