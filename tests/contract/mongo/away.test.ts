import { MongoNetworkError } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { mongoStoreError } from '#adapters/store/mongo/errors.ts'
import { openMongo } from '#adapters/store/mongo/mongo.ts'
import { openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { hiding, ids, plain, thing, type Things, things, type ThingWrite } from '../store-things.ts'

const kind = stores().find((one) => one.name === 'mongodb')

/** A database with one thing in it, and what stands before its server. */
async function openStage() {
  if (!kind) throw new Error('these sentences are skipped without MONGODB_URI')
  const place = await kind.place()
  const proxy = await openMongoProxy(place.uri ?? '')
  const store: Things = things(await openMongo(proxy.uri))
  await store[plain].insert(thing('a', { n: 1 }))
  return {
    proxy,
    store,
    async [Symbol.asyncDispose]() {
      proxy.accept()
      await store.close()
      await proxy.close()
      await place.remove()
    },
  }
}

const pair: ThingWrite[] = [
  { in: plain, update: { id: 'a' }, change: { $inc: { n: 1 } } },
  { in: hiding, insert: thing('r') },
]

// Side by side, each with a database of its own: they wait for as long as a caller of the store may.
describe.skipIf(!kind).concurrent('a store whose MongoDB is away', () => {
  it('says that the outcome of a write is unknown when its answers are lost', async () => {
    await using stage = await openStage()
    const { proxy, store } = stage
    proxy.fail('findAndModify', 'lose answer', 2)
    const write = store[plain].update({ id: 'a' }, { $set: { n: 7 } })
    await expect(write).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: true })
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 7 }))
    proxy.fail('find', 'lose answer', 2)
    const read = store[plain].get('a')
    await expect(read).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: false })
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 7 }))
  })

  it('gives up a transaction that never gets through, having done nothing', async () => {
    await using stage = await openStage()
    const { proxy, store } = stage
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
    await using stage = await openStage()
    const { proxy, store } = stage
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

  it('keeps no caller waiting for a server that takes connections and says nothing', async () => {
    await using stage = await openStage()
    const { proxy, store } = stage
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

  it('does no transaction later of which it has said that it was not done', async () => {
    await using stage = await openStage()
    const { proxy, store } = stage
    proxy.fail('update', 'hold')
    const refused = store.commit(pair)
    await expect(refused).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: false })
    proxy.accept()
    const ends = ['abortTransaction', 'commitTransaction']
    await until(() => ends.some((end) => proxy.heard.has(end)))
    expect([...proxy.heard]).not.toContain('commitTransaction')
    expect(await store[plain].get('a')).toEqual(thing('a', { n: 1 }))
  })

  it('is away, too, where the driver has given up a connection that is in use', () => {
    // The class of the driver is not to be had.
    const error = new MongoNetworkError('Connection interrupted due to server monitor timeout')
    Object.defineProperty(error, 'name', { value: 'PoolClearedOnNetworkError' })
    const told = mongoStoreError(error, plain, false)
    expect(told).toMatchObject({ name: 'Unavailable', outcomeUnknown: false })
  })
})
