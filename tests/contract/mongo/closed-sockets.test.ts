import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMongo } from '#adapters/store/mongo/mongo.ts'
import { type MongoProxy, openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { plain, thing, type Things, things } from '../store-things.ts'

const kind = stores().find((one) => one.name === 'mongodb')

// A socket whose other end has left is destroyed a moment before it says so, and takes no bytes from then on.
describe.skipIf(!kind)(
  'a store of which the connections are closed, and have not said so yet',
  () => {
    let place: Place
    let proxy: MongoProxy
    let store: Things
    const sockets = new Set<Socket>()
    const note = (message: unknown): void => {
      const { socket } = message as { socket: Socket }
      sockets.add(socket)
    }

    beforeEach(async () => {
      if (!kind) throw new Error('these sentences are skipped without MONGODB_URI')
      place = await kind.place()
      proxy = await openMongoProxy(place.uri ?? '')
      subscribe('net.client.socket', note)
      store = things(await openMongo(proxy.uri))
      await store[plain].insert(thing('a', { n: 1 }))
    })
    afterEach(async () => {
      unsubscribe('net.client.socket', note)
      sockets.clear()
      await store.close()
      await proxy.close()
      await place.remove()
    })

    const close = (): number => {
      const open = [...sockets].filter(
        ({ remotePort, destroyed }) => remotePort === proxy.port && !destroyed,
      )
      for (const socket of open) socket.destroy()
      return open.length
    }

    it('reads and writes by others', async () => {
      expect(close()).toBeGreaterThan(1)
      expect(await store[plain].get('a')).toEqual(thing('a', { n: 1 }))
      expect(close()).toBeGreaterThan(1)
      expect(await store[plain].update({ id: 'a' }, { $inc: { n: 1 } })).toEqual(
        thing('a', { n: 2 }),
      )
    })

    it('looks for the server again', async () => {
      const reads = (): Promise<unknown>[] =>
        Array.from({ length: 12 }, () => store[plain].get('a'))
      // The driver looks again at once where its last look is half a second ago.
      const begun = performance.now()
      while (performance.now() - begun < 700) await Promise.all(reads())
      const underWay = Promise.allSettled(reads())
      await setImmediate()
      // The newest is told first: then the driver asks by its oldest, which has not been told.
      expect(close()).toBeGreaterThan(2)
      await underWay
      await until(() => store.isHealthy(), { seconds: 20 })
    })
  },
)
