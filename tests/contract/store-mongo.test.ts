import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MongoClient } from 'mongodb'
import { openMongo } from '#adapters/store/mongo/mongo.ts'
import { type MongoProxy, openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
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
  return kind.newPlace()
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
    // The test before may have cut its connections.
    await until(() => store.isHealthy(), { seconds: 30 })
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

  it('restarts a transaction after a conflict with another', async () => {
    proxy.fail('update', 'conflict', 3)
    proxy.fail('commitTransaction', 'conflict')
    await store.commit(pair)
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 2 }))
  })

  it('has no transactions of its own in conflict with each other', async () => {
    const own = await openMongoProxy(place.uri ?? '')
    const other = things(await openMongo(own.uri))
    const change = (i: number): ThingWrite[] => [
      { in: plain, update: { id: 'a' }, change: { $inc: { n: 1 } } },
      { in: hiding, insert: thing(`r${i}`) },
    ]
    await Promise.all(Array.from({ length: 30 }, (_, i) => other.commit(change(i))))
    expect(await other[plain].get('a')).toEqual(thing('a', { n: 31 }))
    expect([...own.heard]).not.toContain('abortTransaction')
    await other.close()
    await own.close()
  })

  it('loses nothing that it said was done while connections are cut under load', async () => {
    const own = await openMongoProxy(place.uri ?? '')
    const other = things(await openMongo(own.uri))
    const done: string[] = []
    const outcomes: unknown[] = []
    // Each cut makes the driver look for the server again, which takes long on a busy machine.
    const enough = AbortSignal.timeout(100_000)
    const worker = async (name: string): Promise<void> => {
      for (let n = 0; done.length < 200 && !enough.aborted; n += 1) {
        const id = `${name}${n}`
        try {
          await other[plain].insert(thing(id))
          done.push(id)
          if (done.length % 40 === 0) own.cut()
        } catch (error) {
          outcomes.push(error instanceof Error ? error.name : error)
        }
      }
    }
    await Promise.all(Array.from({ length: 12 }, (_, n) => worker(`w${n}-`)))
    const kept = new Set(ids(await store[plain].find({})))
    const isBack = await other.isHealthy()
    await other.close()
    await own.close()
    // A server that does not remember retried writes takes the second try of one for another.
    expect(outcomes.filter((name) => name !== 'Unavailable' && name !== 'DuplicateKey')).toEqual([])
    expect(done.filter((id) => !kept.has(id))).toEqual([])
    const said = `${outcomes.length} of its writes failed, and it is ${isBack ? '' : 'not '}back`
    expect(done.length, said).toBeGreaterThanOrEqual(200)
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
