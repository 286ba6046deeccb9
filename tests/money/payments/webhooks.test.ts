import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compose, type Abode } from '#adapters/compose/compose.ts'
import { readConfig } from '#adapters/config/read.ts'
import { systemClock } from '#adapters/clock/system.ts'
import { openStripe } from '#adapters/payments/stripe/provider.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { oneStore } from '#tests/support/stores.ts'
import { startStripeServer, type StripeServer } from '#tests/support/stripe-server.ts'
import { askerOf, type World } from '#tests/support/world.ts'
import { held } from './desk.ts'

describe.each(oneStore())('the webhook over HTTP on $name', (kind) => {
  let abode: Abode
  let stripe: StripeServer
  let ask: World['ask']
  let account: { key: string; id: string }
  let address: string
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-webhook-'))
    stripe = await startStripeServer()
    const { secretKey, webhookSecret, apiBase } = stripe
    const payments = openStripe({ secretKey, webhookSecret, apiBase, clock: systemClock })
    const env = { PORT: '0', DATA_DIR: folder, ABODE_LOG_LEVEL: 'silent', ABODE_WORK: 'api' }
    abode = await compose(readConfig(env), { store: await kind.open(), payments })
    address = `${(await abode.listen()).url}/api/payments/webhook`
    ask = askerOf(abode.core).ask
  })
  beforeEach(async () => {
    account = await askerOf(abode.core).account()
  })
  afterEach(() => expectBooksBalanced(abode.ports.store))
  afterAll(async () => {
    await abode.close()
    stripe.close()
    await rm(folder, { recursive: true, force: true })
  })

  const paid = async (): Promise<StripeServer['books']['events']> => {
    const price_id = stripe.addPrice({ amount: 500 })
    const of = { price_id }
    const { id } = await ask<{ id: string }>('payments.create_checkout_session', of, account.key)
    const { session = '' } = (await abode.ports.store.checkouts.get(id)) ?? {}
    return stripe.books.pay(session)
  }
  const post = async (body: string, signature?: string): Promise<[number, unknown]> => {
    const headers = {
      'content-type': 'application/json',
      ...(signature !== undefined && { 'stripe-signature': signature }),
    }
    const response = await fetch(address, { method: 'POST', headers, body })
    return [response.status, await response.json()]
  }
  const refused = [401, expect.objectContaining({ code: 'signature_invalid' }) as unknown]
  const isUnpaid = async (): Promise<void> =>
    expect(await held(abode.ports.store, account.id)).toBe('nothing')

  it('takes what is signed, byte for byte as it was sent', async () => {
    await paid()
    const statuses = await stripe.deliver(address)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await held(abode.ports.store, account.id)).toBe('500 available, 0 pending, 0 held')
  })

  it('answers what it takes, and what is not for it, in the same way', async () => {
    const unknown = await stripe.sign({ id: 'evt_1', object: 'event', type: 'payout.paid' })
    expect(await post(unknown.body, unknown.signature)).toEqual([200, { received: true }])
  })

  it('refuses what is not signed, signed by another, changed, or signed too long ago', async () => {
    const event = (await paid()).at(-1)
    if (!event) throw new Error('nothing happened')
    const { body, signature } = await stripe.sign(event)
    const foreign = await stripe.sign(event, { secret: 'whsec_of_another_endpoint' })
    const old = await stripe.sign(event, { at: new Date(Date.now() - 400_000) })
    expect(await post(body)).toEqual(refused)
    expect(await post(body, '')).toEqual(refused)
    expect(await post(body, 't=,v1=')).toEqual(refused)
    expect(await post(body, foreign.signature)).toEqual(refused)
    expect(await post(old.body, old.signature)).toEqual(refused)
    expect(await post(body.replace('evt_', 'evT_'), signature)).toEqual(refused)
    expect(await post(JSON.stringify(JSON.parse(body)), signature)).toEqual(refused)
    expect(await post('', signature)).toEqual(refused)
    await isUnpaid()
  })

  it('counts a replayed event once', async () => {
    const event = (await paid()).at(-1)
    if (!event) throw new Error('nothing happened')
    const { body, signature } = await stripe.sign(event)
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(body, signature)))
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]))
    expect(await held(abode.ports.store, account.id)).toBe('500 available, 0 pending, 0 held')
  })

  it('asks for it again while Stripe cannot be asked', async () => {
    const event = (await paid()).at(-1)
    if (!event) throw new Error('nothing happened')
    const { body, signature } = await stripe.sign(event)
    stripe.misbehave('unauthenticated')
    const [status, error] = await post(body, signature)
    expect(status).toBe(503)
    expect(error).toMatchObject({ code: 'provider_unavailable' })
    expect(JSON.stringify(error)).not.toContain('sk_test')
    expect(await post(body, signature)).toEqual([200, { received: true }])
    expect(await held(abode.ports.store, account.id)).toBe('500 available, 0 pending, 0 held')
  })
})
