import { afterAll, afterEach, beforeAll } from 'vitest'
import { paySession } from '#adapters/payments/test/sessions.ts'
import type { Answer } from '#src/core/answer.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import { randomSuffix } from '#src/core/ids.ts'
import type { Order } from '#src/money/orders/order.ts'
import { settleDueOrders } from '#src/money/orders/settle.ts'
import { settleCheckout } from '#src/money/payments/settle-checkout.ts'
import type { Store } from '#src/ports/store.ts'
import { paymentsDue } from '#src/work/payments.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { expectBooksBalanced } from './books.ts'
import type { StoreKind } from './stores.ts'
import { until } from './until.ts'
import { openWorld, type World } from './world.ts'

/** An account with its key. */
export interface Party {
  key: string
  id: string
}

/** A seller with a public agent that offers one task. */
export interface Shop {
  seller: Party
  service: { char_id: string; task_id: string }
}

/** The result of ordering: the members of the order, refused or not. */
export interface Ordered {
  order: Order
  error: ErrorObject | undefined
}

/** How an order is made, besides what is ordered. */
export interface Ordering {
  key?: string
  form?: object
  checkout_id?: string
  idempotencyKey?: string
}

/** A world for the tests of a block, whose runs are worked on, and whose books balance after each. */
export function marketOn(
  kind: StoreKind,
  opened: (market: { store: Store; world: World }) => void,
): void {
  let world: World
  let work: Work
  beforeAll(async () => {
    world = openWorld(await kind.open())
    work = startWork(world.ports, ['runner'], 4)
    opened({ store: world.ports.store, world })
  })
  afterEach(async () => {
    await settleAll(world)
    await expectBooksBalanced(world.ports.store)
  })
  afterAll(async () => {
    await work.stop()
    await world.ports.store.close()
  })
}

/** Opens a shop: by default a template that costs nothing. */
export async function shopIn(
  world: Pick<World, 'ask' | 'account'>,
  task: object = {},
  agent: object = {},
): Promise<Shop> {
  const seller = await world.account()
  const char_id = `shop-${randomSuffix(8)}`
  const visibility = { profile_visibility: 'public' }
  const character = { id: char_id, name: 'Shop', visibility, ...agent }
  await world.ask('characters.create', { character }, seller.key)
  const service = { task_id: 'portrait', name: 'Portrait', service_enabled: true }
  const whole = { ...service, runtime: 'template', prompt: 'Drawn: {{input}}', ...task }
  await world.ask('tasks.create', { char_id, task: whole }, seller.key)
  return { seller, service: { char_id, task_id: 'portrait' } }
}

/** Orders it, as the account of the key; without a key anonymously. */
export async function order(
  { core }: Pick<World, 'core'>,
  { service }: Pick<Shop, 'service'>,
  { key, form = {}, checkout_id, idempotencyKey }: Ordering = {},
): Promise<Ordered> {
  const operation = core.catalog.find(({ name }) => name === 'orders.create')
  if (!operation) throw new Error('nothing can be ordered')
  const input = { ...service, form, ...(checkout_id !== undefined && { checkout_id }) }
  const call = { operation, input, credential: key, idempotencyKey, requestId: 'test' }
  const outcome = await core.serve({ ...call, address: '127.0.0.0' })
  const error = outcome.refusal?.toObject('test')
  // A refusal that keeps the order has its members; the tests look at those that they expect.
  const text = outcome.answer ? textOf(outcome.answer) : JSON.stringify(error)
  return { order: JSON.parse(text) as Order, error }
}

function textOf({ text }: Answer): string {
  return text
}

/** Pays the checkout at the test provider, as a person does on its page. */
export async function pay({ ports }: Pick<World, 'ports'>, checkoutId: string): Promise<void> {
  const checkout = await ports.store.checkouts.get(checkoutId)
  await paySession(ports, checkout?.session ?? '')
}

/** The same, and the provider's event comes. */
export async function payAndTell(world: Pick<World, 'ports'>, checkoutId: string): Promise<void> {
  await pay(world, checkoutId)
  await settleCheckout(world.ports, checkoutId)
}

/** Fills the wallet of an account with that many times 5. */
export async function topUp(
  world: Pick<World, 'ask' | 'ports'>,
  { key }: Party,
  times = 1,
): Promise<void> {
  for (let i = 0; i < times; i++) {
    const { id } = await world.ask<{ id: string }>(
      'payments.create_checkout_session',
      { price_id: 'top_up_5' },
      key,
    )
    await payAndTell(world, id)
  }
}

/** Does what is due of payments, until nothing is. */
export async function settleAll({ ports }: Pick<World, 'ports'>): Promise<void> {
  const due = async (): Promise<number> =>
    (await settleDueOrders(ports)) + (await paymentsDue(ports, ports.clock.now()))
  while ((await due()) > 0);
}

/** The order once it has that status, as the holder of its token sees it. */
export async function orderThatIs(
  world: Pick<World, 'ask' | 'ports'>,
  { id, token }: Pick<Order, 'id' | 'token'>,
  status: Order['status'],
): Promise<Order> {
  let seen: Order | undefined
  // Each look is work for the store, which the run waits for too.
  const looking = { seconds: 150, pauseMs: 5 }
  await until(async () => {
    await settleAll(world)
    seen = await world.ask<Order>('orders.get', { order_id: id, token })
    return seen.status === status
  }, looking).catch((cause: unknown) => {
    throw new Error(`the order is ${seen?.status}, not ${status}`, { cause })
  })
  if (!seen) throw new Error('there is no order')
  return seen
}

/** What a wallet has available and held, in cents. */
export async function walletOf(
  { ports }: Pick<World, 'ports'>,
  id: string,
): Promise<{ available: number; held: number }> {
  const wallet = await ports.store.wallets.get(id)
  return { available: wallet?.available_cents ?? 0, held: wallet?.held_cents ?? 0 }
}
