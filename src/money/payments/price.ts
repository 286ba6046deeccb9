import * as z from 'zod'
import type { Price as PortPrice } from '#src/ports/payments.ts'

export const Price = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    amount_cents: z.int().describe('In the smallest unit of the currency.'),
    currency: z.string().describe('ISO 4217, in lower case.'),
    kind: z.enum(['one_time', 'recurring']).describe('one_time fills the wallet.'),
    interval: z.enum(['day', 'week', 'month', 'year']).nullable(),
    char_id: z
      .string()
      .nullable()
      .describe('The agent whose public_paid abilities it opens to subscribers.'),
  })
  .meta({ id: 'Price' }) satisfies z.ZodType<PortPrice>
/** What can be bought. */
export type Price = z.infer<typeof Price>
