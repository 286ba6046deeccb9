import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { handled } from '#src/money/payments/handle.ts'
import { reached } from '#src/money/payments/open-checkout.ts'
import { SignatureWrong } from '#src/ports/payments.ts'

/** The provider's signature: its time, and one or more secrets. */
const form = /^t=\d{1,12},(?:.*,)?v1=[0-9a-f]{64}(?:,|$)/

export const webhook = operation({
  name: 'payments.webhook',
  summary: 'Receive an event of the payment provider, which signs it.',
  description:
    'The same event may arrive twice, late and in any order. Unknown events are accepted.',
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
    signature: z
      .string()
      .max(2000)
      .optional()
      .describe('The signature of the body, byte for byte.'),
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
          return refuse(
            'signature_invalid',
            'The provider did not sign this, or signed it too long ago.',
          )
        })
      await handled(context, event)
      return { received: true as const }
    })
  },
})
