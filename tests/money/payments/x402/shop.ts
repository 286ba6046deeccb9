import { openFacilitator } from '#adapters/payments/x402/facilitator.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import { settleDueOrders } from '#src/money/orders/settle.ts'
import type { Order } from '#src/money/orders/order.ts'
import { settleDue } from '#src/money/orders/x402/settle.ts'
import type { Log } from '#src/ports/log.ts'
import type { Store } from '#src/ports/store.ts'
import { runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import {
  signedPayment,
  startFacilitator,
  type Signing,
  type StandInFacilitator,
} from '#tests/support/facilitator.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

export const priceCents = 250

/** A service of an agent, sold for x402, with its settling and its work. */
export interface Shop {
  world: World
  chain: StandInFacilitator
  clock: FakeClock
  store: Store
  /** Messages that went to the log as errors. */
  alarms: { message: string; fields: Record<string, unknown> }[]
  seller: { key: string; id: string }
  /** The input of an order. */
  place: { char_id: string; task_id: string; form: object }
  payment(signing?: Signing): string
  order(payment: string, key?: string): Promise<Order & { token: string }>
  read(order: { id: string }): Promise<Order>
  /** One round of settling. */
  settle(): Promise<number>
  /** Works on all runs, and moves the money of orders that have ended. */
  work(): Promise<void>
  close(): Promise<void>
}

/** @param task members of the task that is sold */
export async function openShop(opened: Store, task: object = {}): Promise<Shop> {
  const clock = fakeClock(Date.now())
  // The store's clock is the test's.
  const store = {
    ...opened,
    now: () => Promise.resolve(clock.now()),
    leaseTime: () => Promise.resolve(clock.now()),
  }
  const chain = await startFacilitator()
  const sender = openSender({ allow: [chain.url], userAgent: 'abode-tests' })
  const alarms: Shop['alarms'] = []
  const quiet = (): void => undefined
  const log: Log = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (message, fields = {}) => void alarms.push({ message, fields }),
  }
  const world = openWorld(store, {
    clock,
    log,
    x402: chain.terms,
    facilitator: openFacilitator({ url: chain.url, sender }),
  })
  const seller = await world.account()
  await sellFrom(world, seller.key, task)
  const place = { char_id: 'ada', task_id: 'poem', form: { about: 'rain' } }
  const working = runner(world.ports, 4)
  return {
    world,
    chain,
    clock,
    store,
    alarms,
    seller,
    place,
    payment: (signing) =>
      signedPayment(chain.terms, priceCents, {
        validBefore: String(Math.floor(clock.now().getTime() / 1000) + 300),
        ...signing,
      }),
    order: (payment, key) => world.ask('orders.create', { ...place, payment }, key),
    read: async ({ id }) => {
      const order = await store.orders.get(id)
      if (!order) throw new Error(`there is no order ${id}`)
      return { ...order, checkout: null }
    },
    settle: () => settleDue(world.ports),
    async work() {
      await until(async () => {
        await working.tick(clock.now())
        const under = { status: { $in: ['queued', 'running'] as const } }
        return (await store.runs.count({ status: { $in: [...under.status.$in] } })) === 0
      })
      while ((await settleDueOrders(world.ports)) > 0);
    },
    async close() {
      await working.stop()
      await world.ports.facilitator?.close()
      chain.close()
      await store.close()
    },
  }
}

async function sellFrom(world: World, key: string, task: object): Promise<void> {
  const visibility = { profile_visibility: 'public' }
  await world.ask('characters.create', { character: { id: 'ada', name: 'Ada', visibility } }, key)
  const sold = {
    task_id: 'poem',
    name: 'Poem',
    runtime: 'template',
    prompt: 'A poem about {{about}}.',
    service_enabled: true,
    price_cents: priceCents,
    ...task,
  }
  await world.ask('tasks.create', { char_id: 'ada', task: sold }, key)
}
