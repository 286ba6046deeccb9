import { MongoClient } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import { openMongo } from '#adapters/store/mongo.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { hiding } from '../store-things.ts'

const kind = stores().find((one) => one.name === 'mongodb')

describe.skipIf(!kind).concurrent('opening the store on MongoDB', () => {
  const places: Place[] = []
  /** The address of a database that is not there yet. */
  const address = async (): Promise<string> => {
    if (!kind) throw new Error('these sentences are skipped without MONGODB_URI')
    const place = await kind.place()
    places.push(place)
    return place.uri ?? ''
  }
  afterAll(() => Promise.all(places.map((place) => place.remove())))

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
    const proxy = await openMongoProxy(await address())
    proxy.standAlone()
    expect((await refusal(proxy.uri)).message).toMatch(/stands alone\. Abode needs a replica set/)
    await proxy.close()
  })

  it('waits for a server that comes up after it', async () => {
    const proxy = await openMongoProxy(await address())
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
    const uri = await address()
    await (await openMongo(uri)).close()
    const client = new MongoClient(uri)
    await client
      .db()
      .collection('schema')
      .updateOne({}, { $inc: { version: 1 } })
    await client.close()
    expect((await refusal(uri)).message).toMatch(/was written by a newer version of Abode/)
  })

  it('makes the indexes follow their definitions', async () => {
    const uri = await address()
    await (await openMongo(uri)).close()
    const client = new MongoClient(uri)
    const runs = client.db().collection(hiding)
    const before = await runs.indexes()
    await runs.dropIndex('due_at')
    await runs.createIndex({ gone: 1 }, { name: 'gone' })
    await (await openMongo(uri)).close()
    const names = (indexes: { name?: string }[]): Set<unknown> =>
      new Set(indexes.map((one) => one.name))
    expect(names(await runs.indexes())).toEqual(names(before))
    await client.close()
  })
})
