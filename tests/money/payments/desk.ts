import { afterAll, beforeAll, expect } from 'vitest'
import { openStripe } from '#adapters/payments/stripe/provider.ts'
import type { Log } from '#src/ports/log.ts'
import { collections } from '#src/collections.ts'
import type { CollectionName } from '#src/ports/documents.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredCheckout } from '#src/money/payments/checkout.ts'
import type { StoredRefund } from '#src/money/payments/refund.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { settleAll } from '#tests/support/orders.ts'
import type { Place, StoreKind } from '#tests/support/stores.ts'
import { startStripeServer, type StripeServer } from '#tests/support/stripe-server.ts'
import { openWorld, type World } from '#tests/support/world.ts'

type Event = StripeServer['books']['events'][number]

/** Servers on one store that take payments by Stripe, whose stand-in the test plays. */
export interface Desk {
  stripe: StripeServer
  clock: FakeClock
  /** What has been logged as a warning or an error, by whichever server. */
  logged: string[]
  /** The first server. */
  world: World
  store: Store
  /** Another process on the same store. */
  another(): Promise<World>
  /** A page for a price of the stand-in. */
  buys(key: string, price: string): Promise<StoredCheckout>
  /** Delivers webhooks as Stripe signs them, and gives what each was answered. */
  hears(events: readonly Event[], world?: World): Promise<string[]>
  /** All that is due is gone on with, by that server. */
  passes(milliseconds: number, world?: World): Promise<void>
  checkout(id: string): Promise<StoredCheckout>
  /** The only refund that there is. */
  refund(): Promise<StoredRefund>
  close(): Promise<void>
}

/**
 * What opens a desk for a test, on an empty store. One store serves all tests of the block in which
 * this is called: a new database for each of them would be most of their work.
 */
export function desksOn(kind: StoreKind): () => Promise<Desk> {
  let place: Place
  let store: Store
  beforeAll(async () => {
    place = await kind.place()
    store = await place.open()
  })
  afterAll(async () => {
    await store.close()
    await place.remove()
  })
  return () => openDesk(place, store)
}

async function openDesk(place: Place, store: Store): Promise<Desk> {
  const clock = fakeClock()
  const stripe = await startStripeServer({ currency: 'eur', now: () => clock.now() })
  const logged: string[] = []
  const worlds: World[] = []
  const open = (on: Store): World => {
    const world = openServer(on, { stripe, clock, logged })
    worlds.push(world)
    return world
  }
  const world = open(store)
  const found = async <T>(reading: Promise<T | undefined>): Promise<T> => {
    const document = await reading
    if (!document) throw new Error('it is not there')
    return document
  }
  const checkout = (id: string): Promise<StoredCheckout> => found(store.checkouts.get(id))
  return {
    stripe,
    clock,
    logged,
    world,
    store,
    another: async () => open(await place.open()),
    checkout,
    async buys(key, price_id) {
      const of = { price_id }
      const { id } = await world.ask<{ id: string }>('payments.create_checkout_session', of, key)
      return checkout(id)
    },
    async hears(events, at = world) {
      const answers = []
      for (const event of events) answers.push(await heard(at, stripe, event))
      return answers
    },
    async passes(milliseconds, at = world) {
      clock.set(clock.now().getTime() + milliseconds)
      await settleAll(at)
    },
    async refund() {
      const refunds = await store.refunds.find({})
      expect(refunds).toHaveLength(1)
      return found(Promise.resolve(refunds[0]))
    },
    async close() {
      for (const one of worlds) {
        await one.ports.payments.close()
        if (one !== world) await one.ports.store.close()
      }
      stripe.close()
      await empty(store)
    },
  }
}

async function empty(store: Store): Promise<void> {
  // The keys of a record that is typed by the names.
  const names = Object.keys(collections) as CollectionName[]
  for (const name of names) await store[name].delete({})
}

function openServer(
  store: Store,
  { stripe, clock, logged }: Pick<Desk, 'stripe' | 'clock' | 'logged'>,
): World {
  const { secretKey, webhookSecret, apiBase } = stripe
  const note = (message: string): void => void logged.push(message)
  const nothing = (): void => undefined
  const log: Log = { debug: nothing, info: nothing, warn: note, error: note }
  const payments = openStripe({ secretKey, webhookSecret, apiBase, clock })
  return openWorld(store, { clock, log, payments })
}

async function heard(world: World, stripe: StripeServer, event: Event): Promise<string> {
  const { body, signature } = await stripe.sign(event)
  return sent(world, body, signature)
}

/** What the webhook answers: the code of its refusal, or `received`. */
export async function sent(world: World, body: string, signature?: string): Promise<string> {
  const operation = world.core.catalog.find(({ name }) => name === 'payments.webhook')
  if (!operation) throw new Error('there is no webhook')
  const outcome = await world.core.serve({
    operation,
    input: { event: JSON.parse(body), ...(signature !== undefined && { signature }) },
    bytes: Buffer.from(body),
    credential: undefined,
    address: '127.0.0.0',
    requestId: 'test',
  })
  return outcome.refusal ? outcome.refusal.code : 'received'
}

/** What something answers the next time, held back until it is let go. */
export interface HeldBack {
  /** Resolves once there is an answer to be held back. */
  reached: Promise<void>
  go(): void
}

/** Holds back what a method answers the next time: it is old by the time that it is acted upon. */
export function holdBack<M extends string>(
  of: { [N in M]: (asked: string) => Promise<unknown> },
  method: M,
): HeldBack {
  const own = of[method].bind(of)
  const reached = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const once = async (asked: string): Promise<unknown> => {
    Object.assign(of, { [method]: own })
    const answer = await own(asked)
    reached.resolve()
    await gone.promise
    return answer
  }
  Object.assign(of, { [method]: once })
  return { reached: reached.promise, go: () => gone.resolve() }
}

/** What a wallet holds, in this order; nothing where there is no wallet. */
export async function held(store: Store, id: string): Promise<string> {
  const wallet = await store.wallets.get(id)
  if (!wallet) return 'nothing'
  const { available_cents, pending_cents, held_cents } = wallet
  return `${available_cents} available, ${pending_cents} pending, ${held_cents} held`
}

/** The lines of a wallet, the oldest first. */
export async function lines(store: Store, wallet: string): Promise<string[]> {
  const found = await store.wallet_transactions.find({ wallet }, { sort: { nth: 1 } })
  return found.map(({ kind, amount_cents, status }) => `${kind} ${amount_cents} ${status}`)
}

/** The books balance, and what is owed back is this. */
export async function expectOwed(store: Store, cents: number, currency = 'eur'): Promise<void> {
  const books = await expectBooksBalanced(store)
  expect(books.cents('refunds', 'available', currency)).toBe(cents)
}
