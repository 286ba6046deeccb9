import * as z from 'zod'

/** One fault of an input, in every refusal that names faults. */
export const Fault = z
  .object({
    pointer: z.string().describe('JSON Pointer into what was sent.'),
    message: z.string(),
    code: z.string(),
    suggestion: z.string().optional(),
  })
  .meta({ id: 'Fault' })
