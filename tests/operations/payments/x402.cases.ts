import { expect } from 'vitest'
import { signedPayment, x402TermsAt } from '#tests/support/facilitator.ts'
import { agent, given, type Case, type Stage } from '../case.ts'

const price_cents = 250
const terms = x402TermsAt('http://127.0.0.1:9')

/** A poem that is sold by the owner. */
async function poem(stage: Stage): Promise<{ char_id: string; task_id: string }> {
  const visibility = { profile_visibility: 'public' }
  const char_id = await agent(stage, 'poet', { visibility })
  const sold = { service_enabled: true, price_cents, runtime: 'template', prompt: '{{about}}' }
  await stage.ask('tasks.create', { char_id, task: { task_id: 'poem', name: 'Poem', ...sold } })
  return { char_id, task_id: 'poem' }
}

/** Orders that are paid by x402, on servers that take it. */
export const x402: readonly Case[] = [
  given({
    op: 'orders.create',
    title: 'a payment by x402 is taken, and settled later',
    as: 'anonymous',
    given: poem,
    input: (place) => ({ ...place, payment: signedPayment(terms, price_cents) }),
    answer: (order) =>
      expect(order).toMatchObject({ paid_by: 'x402', checkout: null, price_cents }),
  }),
  given({
    op: 'orders.create',
    title: 'a caller who has not paid is told what x402 takes',
    as: 'anonymous',
    given: poem,
    input: (place) => place,
    refusal: 'payment_required',
    error: (error) =>
      expect(error).toMatchObject({
        status: 'awaiting_payment',
        x402Version: 1,
        accepts: [{ scheme: 'exact', maxAmountRequired: '2500000' }],
        x402: { x402Version: 2, accepts: [{ amount: '2500000' }] },
      }),
  }),
  given({
    op: 'orders.create',
    title: 'a payment by x402 of another amount is not taken',
    as: 'stranger',
    given: poem,
    input: (place) => ({ ...place, payment: signedPayment(terms, 1) }),
    refusal: 'payment_required',
    error: ({ detail }) => expect(detail).toContain('amount is different'),
  }),
  given({
    op: 'orders.create',
    title: 'a payment by x402 pays for one order',
    as: 'anonymous',
    given: async (stage) => {
      const input = { ...(await poem(stage)), payment: signedPayment(terms, price_cents) }
      await stage.ask('orders.create', input)
      return input
    },
    input: (again) => again,
    refusal: 'payment_used',
  }),
]
