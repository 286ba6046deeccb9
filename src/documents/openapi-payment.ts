import * as z from 'zod'
import { toolName } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'

/** What a refusal says beside the thing that is to be paid for. */
const asked = {
  x402Version: z.int().optional().describe('The version of x402 that accepts is of.'),
  accepts: z
    .array(z.looseObject({}))
    .optional()
    .describe('What x402 may pay with: sign one, and make the same call with it in payment.'),
  x402: z
    .looseObject({})
    .optional()
    .describe('The same in version 2, which the header PAYMENT-REQUIRED holds as base64 of JSON.'),
}

export const paymentHeaders = {
  'PAYMENT-REQUIRED': {
    description: 'What x402 may pay with, where the operator takes it: base64 of JSON.',
    schema: { type: 'string' },
  },
} as const

/**
 * The body of an operation that asks to be paid: what was made is kept, and its members stand beside
 * those of every refusal.
 */
export function unpaid(op: OperationFacts, failure: z.ZodObject): z.ZodObject {
  const members = { ...op.output.shape, ...asked, ...failure.shape }
  return z.object(members).meta({ id: `${toolName(op)}_unpaid` })
}
