import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStripe } from '#adapters/payments/stripe/provider.ts'
import { SignatureWrong, type PaymentEvent, type Payments } from '#src/ports/payments.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { startStripeServer, type StripeServer } from '#tests/support/stripe-server.ts'
import { startWebServer } from '#tests/support/web-server.ts'

let clock: FakeClock
let server: StripeServer
let payments: Payments

beforeEach(async () => {
  clock = fakeClock()
  server = await startStripeServer({ now: () => clock.now() })
  const { apiBase, secretKey, webhookSecret } = server
  payments = openStripe({ apiBase, secretKey, webhookSecret, clock })
})
afterEach(async () => {
  await payments.close()
  server.close()
})

const completed = {
  id: 'evt_1',
  object: 'event',
  type: 'checkout.session.completed',
  data: { object: { id: 'cs_1', object: 'checkout.session' } },
}
const told: PaymentEvent = { id: 'evt_1', about: 'checkout', object: 'cs_1' }

function hear(body: string, signature: string | undefined): Promise<PaymentEvent> {
  return payments.event(Buffer.from(body), signature)
}

async function expectRefused(body: string, signature: string | undefined): Promise<void> {
  const failure: unknown = await hear(body, signature).catch((cause: unknown) => cause)
  expect(failure).toBeInstanceOf(SignatureWrong)
  expect(String(failure)).toBe('SignatureWrong: Stripe has not signed this, or too long ago.')
}

describe('a webhook of Stripe', () => {
  it('is believed when it is signed, as often as it comes', async () => {
    const { body, signature } = await server.sign(completed)
    expect(await hear(body, signature)).toEqual(told)
    expect(await hear(body, signature)).toEqual(told)
  })

  it('is not believed without a signature', async () => {
    const { body } = await server.sign(completed)
    await expectRefused(body, undefined)
    await expectRefused(body, '')
  })

  it('is not believed under another secret', async () => {
    const { body, signature } = await server.sign(completed, { secret: 'whsec_another' })
    await expectRefused(body, signature)
  })

  it('is believed while the secret is changed, when one of two signatures is right', async () => {
    const { body, signature } = await server.sign(completed)
    const other = await server.sign(completed, { secret: 'whsec_another' })
    const [, second] = other.signature.split(',')
    expect(await hear(body, `${signature},${second}`)).toEqual(told)
  })

  it.each([
    ['a byte more', (text: string) => `${text} `],
    ['another object', (text: string) => text.replace('cs_1', 'cs_2')],
    ['another layout', (text: string) => JSON.stringify(JSON.parse(text))],
    ['nothing', () => ''],
  ])('is not believed with %s in its body', async (_, change) => {
    const { body, signature } = await server.sign(completed)
    await expectRefused(change(body), signature)
  })

  it.each([
    ['another time', (header: string) => header.replace(/t=\d/, 't=9')],
    ['no time', (header: string) => header.replace(/t=\d+,/, '')],
    ['a time that is none', (header: string) => header.replace(/t=\d+/, 't=now')],
    ['an old scheme', (header: string) => header.replace('v1=', 'v0=')],
    ['half a signature', (header: string) => header.slice(0, -8)],
    ['no form', () => 'believe me'],
  ])('is not believed with %s in its signature', async (_, change) => {
    const { body, signature } = await server.sign(completed)
    await expectRefused(body, change(signature))
  })

  it('is believed for five minutes, by the clock of the service', async () => {
    const { body, signature } = await server.sign(completed)
    await clock.advance(300_000)
    expect(await hear(body, signature)).toEqual(told)
    await clock.advance(1000)
    await expectRefused(body, signature)
  })

  it('is not believed when what was signed is no event', async () => {
    for (const body of [{}, { id: 'evt_1' }, { id: 1, type: 'x' }, [], 'text']) {
      const { body: text, signature } = await server.sign(body as object)
      await expectRefused(text, signature)
    }
  })

  it.each([
    ['checkout.session.completed', 'checkout'],
    ['checkout.session.async_payment_succeeded', 'checkout'],
    ['checkout.session.async_payment_failed', 'checkout'],
    ['checkout.session.expired', 'checkout'],
    ['customer.subscription.created', 'subscription'],
    ['customer.subscription.updated', 'subscription'],
    ['customer.subscription.deleted', 'subscription'],
    ['customer.subscription.paused', 'subscription'],
    ['customer.subscription.resumed', 'subscription'],
    ['invoice.paid', 'invoice'],
    ['invoice.payment_succeeded', 'invoice'],
    ['refund.created', 'refund'],
    ['refund.updated', 'refund'],
    ['refund.failed', 'refund'],
    ['charge.refund.updated', 'refund'],
  ])('%s is about a %s', async (type, about) => {
    const { body, signature } = await server.sign({ ...completed, type })
    expect(await hear(body, signature)).toEqual({ id: 'evt_1', about, object: 'cs_1' })
  })

  it.each(['payment_intent.succeeded', 'charge.refunded', 'invoice.created', 'toString', ''])(
    '%j is not for us',
    async (type) => {
      const { body, signature } = await server.sign({ ...completed, type })
      expect(await hear(body, signature)).toEqual({ id: 'evt_1', about: 'none' })
    },
  )

  it('is about nothing when it names no object', async () => {
    for (const data of [undefined, null, {}, { object: null }, { object: { id: 7 } }]) {
      const { body, signature } = await server.sign({ ...completed, data })
      expect(await hear(body, signature)).toEqual({ id: 'evt_1', about: 'none' })
    }
  })

  it('comes as Stripe sends it for all that happens to a checkout', async () => {
    const web = await startWebServer()
    const heard: PaymentEvent[] = []
    const url = web.on('/hook', async (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      await once(request, 'end')
      heard.push(
        await payments.event(Buffer.concat(chunks), String(request.headers['stripe-signature'])),
      )
      response.writeHead(200).end()
    })
    const line = { name: 'A poem', amount_cents: 700, currency: 'eur' }
    const { session } = await payments.openCheckout({
      id: 'chk_1',
      line,
      customer: null,
      account_id: null,
      done_url: 'https://abode.example/done',
      cancel_url: 'https://abode.example/cancelled',
      expires_at: new Date(clock.now().getTime() + 3_600_000),
    })
    server.books.payLater(session)
    expect(await server.deliver(url)).toEqual([200, 200])
    server.books.settle(session)
    await server.deliver(url)
    web.close()
    const about = { id: expect.any(String), about: 'checkout', object: session }
    const none = { id: expect.any(String), about: 'none' }
    expect(heard).toEqual([none, about, none, about])
  })
})
