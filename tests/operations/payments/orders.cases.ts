import { expect } from 'vitest'
import { PaymentsFailed, type Payments, type Price } from '#src/ports/payments.ts'
import { book, topUp } from '#tests/money/wallet/movements.ts'
import { until } from '#tests/support/until.ts'
import { agent, given, nowhere, type As, type Case, type Made, type Stage } from '../case.ts'

interface Service {
  char_id: string
  task_id: string
}

const service = { name: 'Portrait', runtime: 'template', prompt: 'Drawn', service_enabled: true }

/** Something that the owner offers to everybody. */
const offered = async (
  stage: Stage,
  task: object = {},
  visibility: object = { profile_visibility: 'public' },
): Promise<Service> => {
  const char_id = await agent(stage, 'ada', { visibility })
  const whole = { task_id: 'portrait', ...service, ...task }
  await stage.ask('tasks.create', { char_id, task: whole })
  return { char_id, task_id: 'portrait' }
}

const fields = [
  { key: 'style', type: 'select', options: ['ink', 'pencil'], required: true },
  { key: 'size', type: 'integer' },
]

/** The wallet of the stranger holds 10. */
const funded = async (stage: Stage): Promise<void> => {
  const { store, payments } = stage.world.ports
  const { id } = await stage.ask('account.get', {}, 'stranger')
  const currency = await payments.currency()
  await book(store, { ...topUp(id, 1000, stage.id('topped-up')), currency })
}

/** What the stranger has ordered and paid, once it is delivered. */
const delivered = async (stage: Stage, task: object = {}): Promise<Made> => {
  await funded(stage)
  const place = await offered(stage, { price_cents: 300, ...task })
  const made = await stage.ask('orders.create', place, 'stranger')
  await ended(stage, made)
  return made
}

const ended = (stage: Stage, { id, token }: Made): Promise<void> =>
  until(async () => {
    const { status } = await stage.ask('orders.get', { order_id: id, token })
    return status !== 'in_progress'
  })

/** An order that waits for its payment, as its refusal says it. */
const unpaid = async (stage: Stage, place: Service): Promise<Made> => {
  const made = await stage
    .ask('orders.create', place, 'stranger')
    .catch((cause: unknown) => (cause as { members: Made }).members)
  return made
}

/** A price of the provider, or its failure, under an id that no other case asks for. */
const sold = (stage: Stage, price: Partial<Price> | 'away'): string => {
  const id = stage.id('price')
  const { payments } = stage.world.ports
  const own: { price: Payments['price'] } = { price: payments.price.bind(payments) }
  Object.assign(payments, {
    price: async (asked: string) => {
      if (asked !== id) return own.price(asked)
      Object.assign(payments, own)
      if (price === 'away') throw new PaymentsFailed('sk_live_0123456789 is silent', 'unknown')
      const one = { id, name: 'P', description: null, amount_cents: 500, currency: 'usd' }
      return { ...one, kind: 'one_time', interval: null, char_id: null, ...price }
    },
  })
  return id
}

const buyers: readonly As[] = ['anonymous', 'stranger', 'owner', 'member']

const creating: Case[] = [
  ...buyers.map((as) =>
    given({
      op: 'orders.create',
      title: 'what costs nothing is queued for anybody',
      as,
      given: (stage) => offered(stage, { form_schema: { fields } }),
      input: (place) => ({ ...place, form: { style: 'ink' } }),
      answer: async (answer, place, stage) => {
        expect(answer).toMatchObject({
          ...place,
          title: 'Portrait',
          status: 'in_progress',
          price_cents: null,
          paid_by: null,
          checkout: null,
        })
        expect(answer.token).toMatch(/^ort_/)
        await ended(stage, answer)
      },
    }),
  ),
  given({
    op: 'orders.create',
    title: 'a wallet that holds the price pays it',
    as: 'stranger',
    given: async (stage) => {
      await funded(stage)
      return offered(stage, { price_cents: 300 })
    },
    input: (place) => place,
    answer: (answer) =>
      expect(answer).toMatchObject({ paid_by: 'wallet', price_cents: 300, currency: 'usd' }),
  }),
  ...(['anonymous', 'stranger'] as const).map((as) =>
    given({
      op: 'orders.create',
      title: 'what is to be paid is kept, and refused with its checkout',
      as,
      given: (stage) => offered(stage, { price_cents: 300, public_title: 'A portrait' }),
      input: (place) => place,
      refusal: 'payment_required',
      error: (error) => {
        expect(error).toMatchObject({
          status: 'awaiting_payment',
          title: 'A portrait',
          price_cents: 300,
          token: expect.stringMatching(/^ort_/) as string,
          checkout: { status: 'open', url: expect.stringContaining('http') as string },
        })
        expect(error.hint).toContain('checkout_id')
      },
    }),
  ),
  given({
    op: 'orders.create',
    title: 'an order made before is told of by its checkout, without its token',
    as: 'anonymous',
    given: async (stage) => {
      const place = await offered(stage, { price_cents: 300 })
      const made = await unpaid(stage, place)
      return { place, made, checkout_id: (made as unknown as { checkout: Made }).checkout.id }
    },
    input: ({ place, checkout_id }) => ({ ...place, checkout_id }),
    refusal: 'payment_required',
    error: (error, { made }) => {
      expect(error).toMatchObject({ id: made.id })
      expect(error).not.toHaveProperty('token')
    },
  }),
  given({
    op: 'orders.create',
    title: 'a checkout that there is not is not found',
    as: 'anonymous',
    given: (stage) => offered(stage),
    input: (place) => ({ ...place, checkout_id: nowhere }),
    refusal: 'checkout_not_found',
  }),
  given({
    op: 'orders.create',
    title: 'the checkout of something else pays for nothing',
    as: 'stranger',
    given: async (stage) => {
      const place = await offered(stage)
      const top_up = { price_id: 'top_up_5' }
      const { id } = await stage.ask('payments.create_checkout_session', top_up, 'stranger')
      return { ...place, checkout_id: id }
    },
    input: (facts) => facts,
    refusal: 'checkout_mismatch',
  }),
  given({
    op: 'orders.create',
    title: 'the checkout of an order with another form is none of this one',
    as: 'anonymous',
    given: async (stage) => {
      const place = await offered(stage, { price_cents: 300 })
      const made = await unpaid(stage, place)
      const { id: checkout_id } = (made as unknown as { checkout: Made }).checkout
      return { ...place, form: { style: 'ink' }, checkout_id }
    },
    input: (facts) => facts,
    refusal: 'checkout_mismatch',
  }),
  given({
    op: 'orders.create',
    title: 'every fault of the form is told at once',
    as: 'anonymous',
    given: (stage) => offered(stage, { form_schema: { fields }, price_cents: 300 }),
    input: (place) => ({ ...place, form: { size: 1.5, colour: 'red' } }),
    refusal: 'invalid_input',
    error: (error) => {
      expect(error.errors).toMatchObject([
        { pointer: '/form/style', code: 'required' },
        { pointer: '/form/size', code: 'invalid_type' },
        { pointer: '/form/colour', code: 'unknown_member' },
      ])
    },
  }),
]

const closed: [
  title: string,
  task: object,
  visibility: object | undefined,
  code: Case['refusal'],
][] = [
  ['a private agent', {}, { profile_visibility: 'private' }, 'character_not_found'],
  ['a task that is not public', { public: false }, undefined, 'task_not_found'],
  ['a task that is no service', { service_enabled: false }, undefined, 'service_closed'],
  ['a task that is switched off', { enabled: false }, undefined, 'service_closed'],
  ['a task that is started by hand alone', { autonomy: 'manual' }, undefined, 'service_closed'],
  ['a price that is not sold', { payment_price_id: nowhere }, undefined, 'price_not_found'],
  ['a price paid monthly', { payment_price_id: 'supporter_monthly' }, undefined, 'price_not_found'],
  [
    'two prices that differ',
    { payment_price_id: 'top_up_5', price_cents: 499 },
    undefined,
    'price_mismatch',
  ],
]

const refused: Case[] = [
  ...closed.map(([title, task, visibility, refusal]) =>
    given({
      op: 'orders.create',
      title: `${title} cannot be ordered`,
      as: 'stranger',
      given: (stage) => offered(stage, task, visibility),
      input: (place) => place,
      ...(refusal && { refusal }),
    }),
  ),
  given({
    op: 'orders.create',
    title: 'a task that there is not is not found',
    as: 'anonymous',
    given: (stage) => offered(stage),
    input: (place) => ({ ...place, task_id: nowhere }),
    refusal: 'task_not_found',
  }),
  given({
    op: 'orders.create',
    title: 'a price in another currency than wallets are kept in is not sold',
    as: 'anonymous',
    given: (stage) => offered(stage, { payment_price_id: sold(stage, { currency: 'xau' }) }),
    input: (place) => place,
    refusal: 'price_mismatch',
  }),
  given({
    op: 'orders.create',
    title: 'a provider that is away keeps nothing',
    as: 'anonymous',
    given: (stage) => offered(stage, { payment_price_id: sold(stage, 'away') }),
    input: (place) => place,
    refusal: 'provider_unavailable',
    error: (error) => expect(JSON.stringify(error)).not.toContain('sk_live'),
  }),
]

const reading: Case[] = [
  given({
    op: 'orders.get',
    title: 'the token of an order shows what was delivered',
    as: 'anonymous',
    given: (stage) => delivered(stage),
    input: ({ id, token }) => ({ order_id: id, token }),
    answer: (answer, { id }) => {
      expect(answer).toMatchObject({ id, status: 'completed', output: 'Drawn' })
      expect(answer).not.toHaveProperty('token')
      const kept = /"(token_hash|owner_id|buyer_id|wallet|form|payment|due_at|checkout_id)":/
      expect(JSON.stringify(answer)).not.toMatch(kept)
    },
  }),
  given({
    op: 'orders.get',
    title: 'a key of the account that ordered needs no token',
    as: 'stranger',
    given: (stage) => delivered(stage),
    input: ({ id }) => ({ order_id: id }),
    answer: (answer) => expect(answer).toMatchObject({ output: 'Drawn', paid_by: 'wallet' }),
  }),
  ...(['orders.get', 'orders.rate'] as const).flatMap((op) => {
    const stars = op === 'orders.rate' ? { stars: 1 } : {}
    const denied: [string, As, (made: Made) => object][] = [
      ['an order that there is not', 'owner', () => ({ order_id: nowhere })],
      ['without token and key an order', 'anonymous', ({ id }) => ({ order_id: id })],
      ['to its seller an order', 'owner', ({ id }) => ({ order_id: id })],
      [
        'by the token of another an order',
        'anonymous',
        ({ id, token }) => ({
          order_id: id,
          token: `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
        }),
      ],
      [
        'by a text that is no token an order',
        'anonymous',
        ({ id }) => ({ order_id: id, token: 'x' }),
      ],
    ]
    return denied.map(([title, as, input]) =>
      given({
        op,
        title: `${title} is not found`,
        as,
        given: (stage) => delivered(stage),
        input: (made) => ({ ...input(made), ...stars }),
        refusal: 'order_not_found',
      }),
    )
  }),
]

const rating: Case[] = [
  given({
    op: 'orders.rate',
    title: 'the token of a paid order rates what was delivered',
    as: 'anonymous',
    given: (stage) => delivered(stage),
    input: ({ id, token }) => ({ order_id: id, token, stars: 4, comment: ' Well drawn.\u202e' }),
    answer: async (answer, { char_id }, stage) => {
      expect(answer).toMatchObject({ rating: { stars: 4, comment: 'Well drawn.' } })
      const { items } = await stage.ask('public.tasks', { char_id })
      expect(items).toMatchObject([{ rating_summary: { average: 4, count: 1 } }])
    },
  }),
  given({
    op: 'orders.rate',
    title: 'an order is rated once',
    as: 'stranger',
    given: async (stage) => {
      const { id } = await delivered(stage)
      await stage.ask('orders.rate', { order_id: id, stars: 5 }, 'stranger')
      return id
    },
    input: (order_id) => ({ order_id, stars: 1 }),
    refusal: 'already_rated',
  }),
  given({
    op: 'orders.rate',
    title: 'what cost nothing is not rated',
    as: 'stranger',
    given: async (stage) => {
      const made = await stage.ask('orders.create', await offered(stage), 'stranger')
      await ended(stage, made)
      return made
    },
    input: ({ id }) => ({ order_id: id, stars: 5 }),
    refusal: 'order_not_completed',
  }),
  given({
    op: 'orders.rate',
    title: 'what is not paid is not rated',
    as: 'stranger',
    given: async (stage) => unpaid(stage, await offered(stage, { price_cents: 300 })),
    input: ({ id }) => ({ order_id: id, stars: 5 }),
    refusal: 'order_not_completed',
  }),
  given({
    op: 'orders.rate',
    title: 'an account cannot rate what it offers',
    as: 'owner',
    given: (stage) => delivered(stage),
    input: ({ id, token }) => ({ order_id: id, token, stars: 5 }),
    refusal: 'forbidden',
  }),
  ...[0, 6, 4.5, 'five', null].map((stars) =>
    given({
      op: 'orders.rate',
      title: `${JSON.stringify(stars)} is no number of stars`,
      as: 'stranger',
      given: (stage) => delivered(stage),
      input: ({ id }) => ({ order_id: id, stars }),
      refusal: 'invalid_input',
      error: (error) => expect(error.errors?.[0]?.pointer).toBe('/stars'),
    }),
  ),
  given({
    op: 'orders.rate',
    title: 'a comment has an end',
    as: 'stranger',
    given: (stage) => delivered(stage),
    input: ({ id }) => ({ order_id: id, stars: 5, comment: 'x'.repeat(1001) }),
    refusal: 'invalid_input',
    error: (error) =>
      expect(error.errors?.[0]).toMatchObject({ pointer: '/comment', code: 'too_big' }),
  }),
]

const pricing: Case[] = [
  ...[-1, 0.5, 100_000_000, 'five'].map((price_cents) =>
    given({
      op: 'tasks.create',
      title: `${JSON.stringify(price_cents)} is no price of a service`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, task: { name: 'Portrait', price_cents } }),
      refusal: 'invalid_input',
      error: (error) => expect(error.errors?.[0]?.pointer).toMatch(/\/price_cents$/),
    }),
  ),
  given({
    op: 'public.tasks',
    title: 'a service tells what it costs, and where it is ordered',
    as: 'anonymous',
    given: (stage) => offered(stage, { payment_price_id: 'top_up_5' }),
    input: ({ char_id }) => ({ char_id }),
    answer: (answer, { char_id }) =>
      expect(answer.items).toMatchObject([
        {
          price_cents: 500,
          currency: 'usd',
          order: expect.stringMatching(
            `/api/public/agents/${char_id}/tasks/portrait/orders$`,
          ) as string,
        },
      ]),
  }),
  given({
    op: 'public.tasks',
    title: 'what cannot be ordered now does not tell where',
    as: 'anonymous',
    given: (stage) => offered(stage, { price_cents: 5, enabled: false }),
    input: ({ char_id }) => ({ char_id }),
    answer: (answer) => {
      expect(answer.items).toMatchObject([{ price_cents: 5, currency: 'usd' }])
      expect(answer.items[0]).not.toHaveProperty('order')
    },
  }),
]

export const orders: readonly Case[] = [...creating, ...refused, ...reading, ...rating, ...pricing]
