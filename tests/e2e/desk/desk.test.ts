import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenAt, endsWith } from '#tests/accounts/audit/chain.ts'
import { lapse } from '#tests/support/kills/lapse.ts'
import { RestartedServer } from '#tests/support/kills/restarted.ts'
import { inForm, isLong } from '#tests/support/long-tests.ts'
import { type MongoProxy, openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { oneStore, type Place } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import {
  allDelivered,
  answeredOnce,
  expectAllTold,
  expectMarked,
  isQuiet,
  paidOnce,
} from './close.ts'
import { Desk } from './desk.ts'
import { openShop, type Shop } from './shop.ts'
import { dayOf } from './steps.ts'
import type { Step } from './step.ts'

/**
 * There are two moments to be killed at for each step: as soon as it is acknowledged, and once all that it
 * set going is done. The short form is killed at one of so many, on each store at others.
 */
const oneOf = inForm({ short: 7, long: 1 })
const first = { sqlite: 2, mongodb: 5 }
const timed = { timeout: inForm({ short: 600_000, long: 1_800_000 }) }
const stepSeconds = 120

describe.concurrent.each(oneStore())(
  'a support desk killed at its work, on $name',
  timed,
  (kind) => {
    let place: Place
    let proxy: MongoProxy | undefined
    let shop: Shop
    let server: RestartedServer
    let desk: Desk
    let process: ServerProcess | undefined

    const start = async (): Promise<ServerProcess> =>
      (process = await startServer({
        dataDir: place.folder,
        env: {
          ABODE_RATE_LIMITS: 'off',
          ABODE_MASTER_KEY: '07'.repeat(32),
          ABODE_OUTBOUND_ALLOW: shop.origins,
          OPENAI_BASE_URL: shop.model.baseUrl,
          ABODE_DEFAULT_MODEL: 'openai-compatible/desk',
          ...(proxy && { MONGODB_URI: proxy.uri }),
        },
      }))

    beforeAll(async () => {
      place = await kind.place()
      if (place.uri) proxy = await openMongoProxy(place.uri)
      shop = await openShop()
      server = new RestartedServer(start)
      desk = new Desk(server)
    })
    afterAll(async () => {
      await server.end('SIGKILL')
      shop.close()
      await proxy?.close()
      await place.remove()
    })

    let moments = 0
    let kills = 0
    const moment = async (): Promise<void> => {
      if (moments++ % oneOf !== first[kind.name] % oneOf) return
      kills += 1
      await lapse(place, await server.kill(() => proxy?.endTransactions()))
    }
    const play = async ({ does, act, isDone }: Step): Promise<void> => {
      await act()
      await moment()
      const isOver = async (): Promise<boolean> => (await isDone()) && (await isQuiet(desk))
      await until(isOver, { seconds: stepSeconds, pauseMs: 50 }).catch(async (cause: unknown) => {
        const runs = (await desk.everyRun())
          .slice(0, 12)
          .map(({ id, task_id, status, reason, error, attempt, retry_of }) =>
            [id, task_id, status, reason, error?.code, error?.message, attempt, retry_of].join(' '),
          )
        const log = process?.lines.slice(-20).join('\n')
        throw new Error(`"${does}": ${runs.join('\n')}\n${log}`, { cause })
      })
      await moment()
    }

    it('loses nothing, does nothing twice, tells everything and marks the words of customers', async () => {
      for (const step of dayOf(desk, shop)) await play(step)
      expect(kills).toBeGreaterThanOrEqual(isLong ? moments : Math.floor(moments / oneOf))
      await until(() => allDelivered(desk, shop), { seconds: stepSeconds, pauseMs: 100 })
      await answeredOnce(desk, shop)
      await paidOnce(desk, shop)
      await expectAllTold(desk, shop)
      await expectMarked(desk, shop)
      const accept = { accept: 'application/x-ndjson' }
      const path = '/api/account/audit?order=oldest&limit=100'
      const authorization = `Bearer ${desk.key}`
      const { text } = await desk.send(path, { headers: { authorization, ...accept } })
      expect(brokenAt(text)).toBeUndefined()
      const { head } = await desk.ask<{ head: { seq: number; hash: string } }>(path)
      expect(endsWith(text, head)).toBe(true)
    })
  },
)
