import { MongoClient, type Collection, type Db } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import { openMongo } from '#adapters/store/mongo/mongo.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { hiding } from '../store-things.ts'

const kind = stores().find((one) => one.name === 'mongodb')

describe.skipIf(!kind).concurrent('opening the store on MongoDB', () => {
  const places: Place[] = []
  const addressOf = async (taken: Promise<Place> | undefined): Promise<string> => {
    const place = await taken
    if (!place) throw new Error('these sentences are skipped without MONGODB_URI')
    places.push(place)
    return place.uri ?? ''
  }
  const address = (): Promise<string> => addressOf(kind?.place())
  afterAll(() => Promise.all(places.map((place) => place.remove())))

  const refusal = async (uri: string, startMs?: number): Promise<StoreUnusable> => {
    const refused = await openMongo(uri, startMs === undefined ? {} : { startMs }).catch(
      (error: unknown) => error,
    )
    if (refused instanceof StoreUnusable) return refused
    throw new Error('it was opened, or failed without words', { cause: refused })
  }

  it('says in words what an address must be, without its password', async () => {
    expect((await refusal('http://user:secret@host/')).message).toMatch(
      /^The address of MongoDB cannot/,
    )
    expect((await refusal('mongodb://u:secret@127.0.0.1:1/x', 0)).message).not.toContain('secret')
  })

  it('says in words that no server answers there', async () => {
    // Long enough for the driver to be asked more than once.
    const { message, isAway } = await refusal(
      'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=1000',
      2_000,
    )
    expect(message).toMatch(
      /^No MongoDB server answers at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\): check/,
    )
    expect(isAway).toBe(true)
  })

  it('says at once that its replica set has another name, which does not pass by itself', async () => {
    const [, members] = /^mongodb:\/\/([^/]+)/.exec(await address()) ?? []
    const { message, isAway } = await refusal(`mongodb://${members}/x?replicaSet=another`)
    expect(message).toMatch(/is of the replica set that MONGODB_URI names/)
    expect(isAway).toBe(false)
  })

  it('says in words that it needs a replica set', async () => {
    const proxy = await openMongoProxy(await address())
    proxy.standAlone()
    const { message, isAway } = await refusal(proxy.uri)
    expect(message).toMatch(/is a standalone server\. Abode needs a replica set/)
    expect(isAway).toBe(false)
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
    const uri = await addressOf(kind?.newPlace())
    await (await openMongo(uri)).close()
    const client = new MongoClient(uri)
    await client
      .db()
      .collection('schema')
      .updateOne({}, { $inc: { version: 1 } })
    await client.close()
    expect((await refusal(uri)).message).toMatch(/was written by a newer version of Abode/)
  })

  describe('a database that is there', () => {
    const names = (indexes: { name?: string }[]): Set<unknown> =>
      new Set(indexes.map((one) => one.name))

    /** As if other definitions had made its indexes. */
    const ofOthers = async (db: Db): Promise<void> => {
      const schema = db.collection<{ _id: string }>('schema')
      await schema.updateOne({ _id: 'schema' }, { $set: { 'prepared.definitions': 'older' } })
    }

    /** What its indexes become, by the next opening, of what is done to them. */
    const reopened = async (act: (hidings: Collection, db: Db) => Promise<unknown>) => {
      const uri = await address()
      await (await openMongo(uri)).close()
      const client = new MongoClient(uri)
      const hidings = client.db().collection(hiding)
      const before = names(await hidings.indexes())
      await act(hidings, client.db())
      await (await openMongo(uri)).close()
      const after = names(await hidings.indexes())
      await client.close()
      return { before, after }
    }

    it.each([
      ['loses an index', (hidings: Collection) => hidings.dropIndex('open?open')],
      [
        'is given one that nothing defines',
        (hidings: Collection) => hidings.createIndex({ gone: 1 }, { name: 'gone' }),
      ],
      [
        'has one as it was before, over all documents',
        async (hidings: Collection, db: Db) => {
          await hidings.dropIndex('open?open')
          await hidings.createIndex({ open: 1, _id: 1 }, { name: 'open' })
          await ofOthers(db)
        },
      ],
      ['loses a collection', (hidings: Collection) => hidings.drop()],
      [
        'has as many of other definitions',
        async (hidings: Collection, db: Db) => {
          await hidings.dropIndex('open?open')
          await hidings.createIndex({ gone: 1 }, { name: 'gone' })
          await ofOthers(db)
        },
      ],
    ])('is mended where it %s', async (_, act) => {
      const { before, after } = await reopened(act)
      expect(after).toEqual(before)
    })

    it('is looked at as a whole for a user who may not ask how it is', async () => {
      const uri = await address()
      await (await openMongo(uri)).close()
      const proxy = await openMongoProxy(uri)
      proxy.fail('dbStats', 'forbidden', 2)
      await (await openMongo(proxy.uri)).close()
      expect(proxy.failed).toBe(2)
      expect(proxy.heard).toContain('listIndexes')
      await proxy.close()
    })

    it('is opened without asking each collection', async () => {
      const uri = await address()
      await (await openMongo(uri)).close()
      const proxy = await openMongoProxy(uri)
      await (await openMongo(proxy.uri)).close()
      expect(proxy.heard).toContain('dbStats')
      expect(proxy.heard).not.toContain('listIndexes')
      await proxy.close()
    })
  })
})
