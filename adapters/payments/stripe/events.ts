import { SignatureWrong, type PaymentEvent } from '#src/ports/payments.ts'

/** The maximum age of a signature: a captured webhook cannot be replayed a day later. */
const toleranceSeconds = 300

/** What each type of event is about; others are ignored. */
const abouts = new Map<string, 'checkout' | 'subscription' | 'invoice' | 'refund'>([
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
])

/**
 * The event of a webhook, after its signature is verified.
 * @throws SignatureWrong
 */
export async function eventFrom(
  body: Uint8Array,
  signature: string | undefined,
  { secret, now }: { secret: string; now: Date },
): Promise<PaymentEvent> {
  const { Stripe } = await import('stripe')
  const { type, id, object } = factsOf(() =>
    Stripe.webhooks.constructEvent(
      body,
      signature ?? '',
      secret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    ),
  )
  const about = abouts.get(type)
  return about && object !== undefined ? { id, about, object } : { id, about: 'none' }
}

function factsOf(construct: () => object): { type: string; id: string; object?: string } {
  try {
    const event = construct()
    const { id, type } = { id: textOf(event, 'id'), type: textOf(event, 'type') }
    if (id === undefined || type === undefined) throw new Error('it is not an event')
    const data = memberOf(event, 'data')
    const object = textOf(memberOf(data, 'object'), 'id')
    return { id, type, ...(object !== undefined && { object }) }
  } catch (cause) {
    throw new SignatureWrong('Stripe has not signed this, or too long ago.', { cause })
  }
}

// The library accepts anything that was signed as an event, in any form.
function memberOf(held: unknown, name: string): unknown {
  return typeof held === 'object' && held !== null ? Reflect.get(held, name) : undefined
}

function textOf(held: unknown, name: string): string | undefined {
  const text = memberOf(held, name)
  return typeof text === 'string' ? text : undefined
}
