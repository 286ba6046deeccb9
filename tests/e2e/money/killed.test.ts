import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredOrder } from '#src/money/orders/order.ts'
import type { Store } from '#src/ports/store.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { lapse } from '#tests/support/kills/lapse.ts'
import { longestPauseMs, Outside } from '#tests/support/kills/outside.ts'
import { RestartedServer } from '#tests/support/kills/restarted.ts'
import { Tally } from '#tests/support/kills/tally.ts'
import { inForm, isLong } from '#tests/support/long-tests.ts'
import { type MongoProxy, openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { stores, type Place } from '#tests/support/stores.ts'

const kills = inForm({ short: 2, long: 20 })
const orders = inForm({ short: 60, long: 2000 })
const timed = { timeout: inForm({ short: 900_000, long: 1_800_000 }) }
const buyersAtOnce = 24
const price = 250
const topUp = 200_000
const prices = [
  {
    id: 'credit',
    name: 'Credit',
    amount_cents: topUp,
    currency: 'eur',
    kind: 'one_time',
    interval: null,
    char_id: null,
    description: null,
  },
]

interface Placed {
  id: string
  token: string
  status: string
  checkout: { url: string } | null
}

/** As the documents say of each path. */
type Body = Record<string, never>

describe.concurrent.each(stores())('a shop killed again and again, on $name', timed, (kind) => {
  let place: Place
  let proxy: MongoProxy | undefined
  let server: RestartedServer
  // It cannot do every seventh piece.
  const outside = new Outside(200, ({ body }) => {
    const number = Number(/"number":\s*"?(\d+)/.exec(body)?.[1] ?? 0)
    return { status: number % 7 === 0 ? 422 : 200, text: `done ${number}` }
  })

  const start = (): Promise<ServerProcess> =>
    startServer({
      dataDir: place.folder,
      env: {
        ABODE_RATE_LIMITS: 'off',
        ABODE_QUOTAS: 'off',
        ABODE_MASTER_KEY: '07'.repeat(32),
        ABODE_OUTBOUND_ALLOW: outside.url,
        ABODE_PRICES: JSON.stringify(prices),
        ...(proxy && { MONGODB_URI: proxy.uri }),
      },
    })

  /** What a call is answered, which has one of these statuses, 200 by default. */
  const call = async (
    method: string,
    path: string,
    { body, key, once }: { body?: unknown; key?: string; once?: string } = {},
    ...statuses: number[]
  ): Promise<Body> => {
    const answer = await server.answer(async (url) => {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(once && { 'idempotency-key': once }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Body }
    })
    const wanted = statuses.length > 0 ? statuses : [200]
    expect(wanted, JSON.stringify(answer.body)).toContain(answer.status)
    return answer.body
  }
  /** Pays on the hosted page, where the server may have been given another port since. */
  const pay = async (checkout: string): Promise<void> => {
    const { pathname } = new URL(checkout)
    const body = new URLSearchParams({ action: 'pay' })
    const paid = await server.answer((url) =>
      fetch(url + pathname, { method: 'POST', body, redirect: 'manual' }),
    )
    expect([200, 303]).toContain(paid.status)
  }

  beforeAll(async () => {
    place = await kind.place()
    if (place.uri) proxy = await openMongoProxy(place.uri)
    await outside.listen()
    server = new RestartedServer(start)
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    outside.close()
    await proxy?.close()
    await place.remove()
  })

  it('runs each paid order once or gives the money back, and its books balance', async () => {
    const account = async (name: string): Promise<string> =>
      (
        await call('POST', '/api/agent-claim', { body: { name }, once: `claim-${name}-0123456789` })
      )['api_key'] ?? ''
    const seller = await account('seller')
    const buyers = [await account('one'), await account('two')]
    await sell(seller)
    for (const [n, key] of buyers.entries()) {
      const body = { price_id: 'credit' }
      const once = `top-up-${n}`
      const path = '/api/payments/create-checkout-session'
      const { url } = await call('POST', path, { body, key, once })
      await pay(url ?? '')
    }
    const placed: Placed[] = []
    const bought = new Tally()
    let next = 0
    const buying = Array.from({ length: buyersAtOnce }, async () => {
      while (next < orders) {
        placed.push(await buy(next++, buyers))
        bought.add()
      }
    })
    for (let kill = 1; kill <= kills; kill++) {
      // Spreads the kills over all orders, at any speed of the machine.
      await bought.reaches(Math.ceil((orders * kill) / (kills + 1)))
      await outside.asks.reaches(outside.asks.count + 1)
      await pause(Math.random() * longestPauseMs)
      expect(outside.underWay).toBeGreaterThan(0)
      expect(placed.length).toBeLessThan(orders)
      // In the long form leases and transactions run out by themselves.
      if (isLong) await server.kill()
      else await lapse(place, await server.kill(() => proxy?.endTransactions()))
    }
    await Promise.all(buying)
    expect(new Set(placed.map(({ id }) => id)).size).toBe(orders)
    let delivered = 0
    for (const { id, token } of placed) {
      if ((await finished(id, token)) === 'completed') delivered += 1
    }
    await earned(seller, delivered * price)
    await server.end('SIGTERM')
    const store = await place.open()
    try {
      await check(store, placed)
    } finally {
      await store.close()
    }
  })

  async function sell(key: string): Promise<void> {
    const character = {
      id: 'shop',
      name: 'Shop',
      visibility: { profile_visibility: 'public' },
      heart: {
        tasks: [
          {
            task_id: 'work',
            name: 'Work',
            runtime: 'api',
            api_url: outside.url,
            service_enabled: true,
            price_cents: price,
            form_schema: { fields: [{ key: 'number', type: 'text', required: true }] },
          },
        ],
      },
    }
    await call('POST', '/api/characters/', { body: character, key, once: 'shop' }, 201)
  }

  /** Two of three pay on a page and have no account, the third pays from its wallet. */
  async function buy(number: number, buyers: readonly string[]): Promise<Placed> {
    const key = number % 3 === 0 ? buyers[number % buyers.length] : undefined
    const path = '/api/public/agents/shop/tasks/work/orders'
    const once = `order-${number}-0123456789abcdef`
    const body = { form: { number: String(number) } }
    const made = await call('POST', path, { body, once, ...(key && { key }) }, 202, 402)
    // The answer of orders.create, also where it is refused.
    const order = made as unknown as Placed
    if (order.checkout) await pay(order.checkout.url)
    return order
  }

  async function finished(id: string, token: string): Promise<'completed' | 'refunded'> {
    const patience = performance.now() + 400_000
    for (;;) {
      const { status } = await call('GET', `/api/orders/${id}?token=${token}`)
      if (status === 'completed' || status === 'refunded') return status
      if (performance.now() > patience) throw new Error(`the order ${id} stays ${String(status)}`)
      await pause(50)
    }
  }

  /** What an order earns is moved after the order is completed. */
  async function earned(key: string, cents: number): Promise<void> {
    const patience = performance.now() + 400_000
    for (;;) {
      const { available_cents } = await call('GET', '/api/wallet/balance', { key })
      if (available_cents === cents) return
      if (performance.now() > patience) {
        throw new Error(`the seller has ${String(available_cents)} cents and not ${cents}`)
      }
      await pause(200)
    }
  }

  async function check(store: Store, placed: readonly Placed[]): Promise<void> {
    await expectBooksBalanced(store)
    const kept: StoredOrder[] = []
    for (let after = ''; ;) {
      const page = await store.orders.find({ id: { $gt: after } }, { sort: { id: 1 }, limit: 500 })
      kept.push(...page)
      after = page.at(-1)?.id ?? ''
      if (page.length === 0) break
    }
    expect(new Set(kept.map(({ id }) => id))).toEqual(new Set(placed.map(({ id }) => id)))
    const runs = new Map<string, string[]>()
    for (let after = ''; ;) {
      const page = await store.runs.find({ id: { $gt: after } }, { sort: { id: 1 }, limit: 500 })
      for (const run of page) {
        const order = String(run.trigger.caller?.['order_id'])
        runs.set(order, [...(runs.get(order) ?? []), run.status])
      }
      after = page.at(-1)?.id ?? ''
      if (page.length === 0) break
    }
    for (const { id, status } of kept) {
      const [run, ...more] = runs.get(id) ?? []
      expect(more, `${id} was run once`).toEqual([])
      expect(run === 'completed').toBe(status === 'completed')
    }
    const delivered = kept.filter(({ status }) => status === 'completed').length
    expect(delivered).toBeGreaterThan(orders / 2)
    expect(delivered).toBeLessThan(orders)
    const earned = await store.wallets.get(kept[0]?.owner_id ?? '')
    expect(earned).toMatchObject({ available_cents: delivered * price, held_cents: 0 })
  }
})
