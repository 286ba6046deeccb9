import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { handled } from '#src/money/payments/handle.ts'
import { reached } from '#src/money/payments/open-checkout.ts'
import { SignatureWrong } from '#src/ports/payments.ts'

/** How the provider signs: when, and with one or more secrets. */
const form = /^t=\d{1,12},(?:.*,)?v1=[0-9a-f]{64}(?:,|$)/

export const webhook = operation({
  name: 'payments.webhook',
  summary: 'Take news of the payment provider, which signs it.',
  description:
    'The same news may come twice, late and in any order. Whatever is not known is taken.',
  example: { event: { type: 'checkout.session.completed' } },
  auth: 'none',
  inNeed: true,
  http: {
    method: 'POST',
    path: '/api/payments/webhook',
    headers: { signature: 'Stripe-Signature' },
    raw: true,
  },
  toolsets: ['payments'],
  restOnly: true,
  input: z.strictObject({
    event: z.json().describe('As the provider sends it.'),
    signature: z.string().max(2000).optional().describe('Of the body, byte for byte.'),
  }),
  document: 'event',
  output: z.object({ received: z.literal(true) }),
  refuses: ['signature_invalid', 'provider_unavailable'],

  // The built-in provider sends nothing.
  takesSignature: ({ signature }, { payments }) => !payments.isTest && form.test(signature),

  run({ signature }, context) {
    return reached(context, async () => {
      const event = await context.payments
        .event(context.bytes ?? new Uint8Array(), signature)
        .catch((cause: unknown) => {
          if (!(cause instanceof SignatureWrong)) throw cause
          return refuse('signature_invalid', 'The provider has not signed this, or too long ago.')
        })
      await handled(context, event)
      return { received: true as const }
    })
  },
})
