import { expect } from 'vitest'
import { PaymentsFailed, type Payments, type Price } from '#src/ports/payments.ts'
import { agent, given, needsKey, type Case, type Made, type Stage } from '../case.ts'

type Method = 'prices' | 'price' | 'openCheckout' | 'openPortal' | 'event' | 'checkout'

/** The provider does something else, the next time that it is asked for this, or about this. */
function instead<M extends Method>(
  { world }: Stage,
  method: M,
  answer: () => ReturnType<Payments[M]>,
  about?: string,
): Promise<void> {
  const { payments } = world.ports
  const own = payments[method]
  const once = (...asked: unknown[]): unknown => {
    // What goes on in the background asks about other things.
    if (about !== undefined && asked[0] !== about) return Reflect.apply(own, payments, asked)
    Object.assign(payments, { [method]: own })
    return answer()
  }
  Object.assign(payments, { [method]: once })
  return Promise.resolve()
}

const away = async (): Promise<never> => {
  throw new PaymentsFailed('sk_live_0123456789 got no answer', 'unknown')
}

const price = (more: Partial<Price> = {}): Price => ({
  id: 'elsewhere',
  name: 'Top-up',
  description: null,
  amount_cents: 500,
  currency: 'eur',
  kind: 'one_time',
  interval: null,
  char_id: null,
  ...more,
})

/** A fault of the provider says what to do, and nothing that the provider has said. */
const unavailable = {
  refusal: 'provider_unavailable',
  error: (error: { hint?: string; retry_after_s?: number }) => {
    expect(JSON.stringify(error)).not.toContain('sk_live')
    expect(error).toMatchObject({ hint: expect.stringContaining('again') as string })
    expect(error.retry_after_s).toBeGreaterThan(0)
  },
} as const

const idsOf = ({ items }: Made): string[] => Array.from(items, ({ id }) => id)

const prices: Case[] = [
  given({
    op: 'payments.prices',
    title: 'any caller sees what can be bought',
    as: 'anonymous',
    input: () => ({}),
    answer: (answer) => {
      expect(idsOf(answer)).toContain('top_up_5')
      expect(answer.next_cursor).toBeNull()
    },
  }),
  given({
    op: 'payments.prices',
    title: 'they are read page by page, each once, in the same order',
    as: 'owner',
    given: async (stage) => {
      const first = await stage.ask('payments.prices', { limit: 1 })
      return { first, all: await stage.ask('payments.prices', {}) }
    },
    input: ({ first }) => ({ limit: 1, cursor: first.next_cursor }),
    answer: (answer, { first, all }) => {
      expect([...idsOf(first), ...idsOf(answer)]).toEqual(idsOf(all).slice(0, 2))
    },
  }),
  given({
    op: 'payments.prices',
    title: 'a broken cursor is refused',
    as: 'anonymous',
    input: () => ({ cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'payments.prices',
    title: 'a provider that is away is asked again later',
    as: 'anonymous',
    given: (stage) => instead(stage, 'prices', away),
    input: () => ({}),
    ...unavailable,
  }),
]

const checkouts: Case[] = [
  given({
    op: 'payments.create_checkout_session',
    title: 'a page is opened on which a top-up is paid',
    as: 'owner',
    input: () => ({ price_id: 'top_up_5' }),
    answer: async (answer, _, { world }) => {
      expect(answer.id).toMatch(/^chk_/)
      expect(answer.status).toBe('open')
      expect(Date.parse(answer.expires_at)).toBeGreaterThan(Date.now())
      const kept = await world.ports.store.checkouts.get(answer.id)
      expect(kept).toMatchObject({ kind: 'top_up', amount_cents: 500, currency: 'usd' })
    },
  }),
  given({
    op: 'payments.create_checkout_session',
    title: 'a recurring price is subscribed to',
    as: 'owner',
    input: () => ({ price_id: 'supporter_monthly' }),
    answer: async (answer, _, { world }) => {
      const kept = await world.ports.store.checkouts.get(answer.id)
      expect(kept).toMatchObject({ kind: 'subscription', price_id: 'supporter_monthly' })
    },
  }),
  given({
    op: 'payments.create_checkout_session',
    title: 'beyond what keys may spend in a day a person subscribes',
    as: 'stranger',
    given: (stage) => stage.ask('account.update', { key_spend_cents_a_day: 899 }, 'stranger'),
    input: () => ({ price_id: 'supporter_monthly' }),
    refusal: 'person_needed',
    error: ({ hint }) => expect(hint).toContain('/settings'),
  }),
  ...[{ amount_cents: 1 }, { currency: 'usd' }, { account_id: 'acc_other' }].map((more) =>
    given({
      op: 'payments.create_checkout_session',
      title: `what is paid is none of the caller's: ${Object.keys(more).join()}`,
      as: 'owner',
      input: () => ({ price_id: 'top_up_5', ...more }),
      refusal: 'invalid_input',
    }),
  ),
  given({
    op: 'payments.create_checkout_session',
    title: 'a price that there is not is not found',
    as: 'owner',
    input: () => ({ price_id: 'top_up_1000000' }),
    refusal: 'price_not_found',
    error: (error) => expect(error.hint).toContain('payments.prices'),
  }),
  ...[price(), price({ kind: 'recurring', interval: 'month', char_id: 'ada' })].map((other) =>
    given({
      op: 'payments.create_checkout_session',
      title: `no wallet takes another currency: a ${other.kind} price`,
      as: 'owner',
      given: (stage) => instead(stage, 'price', () => Promise.resolve(other)),
      input: () => ({ price_id: 'elsewhere' }),
      refusal: 'price_mismatch',
      error: (error) => expect(error.detail).toContain('eur'),
    }),
  ),
  given({
    op: 'payments.create_checkout_session',
    title: 'a provider that is away is asked again later',
    as: 'owner',
    given: (stage) => instead(stage, 'openCheckout', away),
    input: () => ({ price_id: 'top_up_5' }),
    ...unavailable,
  }),
  given({
    op: 'payments.create_checkout_session',
    title: 'a key that acts as one agent buys nothing',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => ({ price_id: 'top_up_5' }),
    refusal: 'scope_forbidden',
  }),
  ...needsKey('payments.create_checkout_session', { price_id: 'top_up_5' }),
]

const portals: Case[] = [
  given({
    op: 'payments.create_portal_session',
    title: 'a page is opened on which subscriptions are ended',
    as: 'owner',
    input: () => ({}),
    answer: (answer) => {
      expect(answer.id).toBeTruthy()
      expect(answer.url).toMatch(/^http/)
    },
  }),
  given({
    op: 'payments.create_portal_session',
    title: 'a provider that is away is asked again later',
    as: 'owner',
    given: (stage) => instead(stage, 'openPortal', away),
    input: () => ({}),
    ...unavailable,
  }),
  ...needsKey('payments.create_portal_session', {}),
]

const webhooks: Case[] = [
  given({
    op: 'payments.webhook',
    title: 'an event that is not for us is accepted',
    as: 'anonymous',
    given: (stage) =>
      instead(stage, 'event', () => Promise.resolve({ id: 'evt_1', about: 'none' })),
    input: () => ({ event: { type: 'customer.created' }, signature: 't=1,v1=00' }),
    answer: (answer) => expect(answer).toEqual({ received: true }),
  }),
  given({
    op: 'payments.webhook',
    title: 'an event about a purchase elsewhere is accepted',
    as: 'anonymous',
    given: (stage) =>
      instead(stage, 'event', () =>
        Promise.resolve({ id: 'evt_1', about: 'checkout', object: 'cs_of_another_shop' }),
      ),
    input: () => ({ event: { type: 'checkout.session.completed' }, signature: 't=1,v1=00' }),
    answer: (answer) => expect(answer).toEqual({ received: true }),
  }),
  ...[undefined, 't=1,v1=00'].map((signature) =>
    given({
      op: 'payments.webhook',
      title: `what the provider has not signed is refused: ${signature ?? 'no signature'}`,
      as: 'anonymous',
      input: () => ({ event: {}, ...(signature !== undefined && { signature }) }),
      refusal: 'signature_invalid',
    }),
  ),
  given({
    op: 'payments.webhook',
    title: 'what cannot be looked up now is to be sent again',
    as: 'anonymous',
    given: async (stage) => {
      const { id } = await stage.ask('payments.create_checkout_session', { price_id: 'top_up_5' })
      const { session = '' } = (await stage.world.ports.store.checkouts.get(id)) ?? {}
      await instead(stage, 'event', () =>
        Promise.resolve({ id: 'evt_1', about: 'checkout', object: session }),
      )
      await instead(stage, 'checkout', away, session)
    },
    input: () => ({ event: {}, signature: 't=1,v1=00' }),
    ...unavailable,
  }),
]

export const payments: readonly Case[] = [...prices, ...checkouts, ...portals, ...webhooks]
