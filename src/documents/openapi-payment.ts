import * as z from 'zod'
import { toolName } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'

/** The members of a refusal in addition to the thing that is to be paid for. */
const asked = {
  x402Version: z.int().optional().describe('The version of x402 that accepts follows.'),
  accepts: z
    .array(z.looseObject({}))
    .optional()
    .describe(
      'The payments by x402 that are accepted: sign one, and repeat the call with it in payment.',
    ),
  x402: z
    .looseObject({})
    .optional()
    .describe('The same in version 2, which the header PAYMENT-REQUIRED holds as base64 of JSON.'),
}

export const paymentHeaders = {
  'PAYMENT-REQUIRED': {
    description:
      'The payments by x402 that are accepted, if the operator accepts x402: base64 of JSON.',
    schema: { type: 'string' },
  },
} as const

/**
 * The body of an operation that asks for payment: what was made is kept, and its members are next to
 * those of every refusal.
 */
export function unpaid(op: OperationFacts, failure: z.ZodObject): z.ZodObject {
  const members = { ...op.output.shape, ...asked, ...failure.shape }
  return z.object(members).meta({ id: `${toolName(op)}_unpaid` })
}
