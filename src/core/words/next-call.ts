import * as z from 'zod'

/** What to call so that something goes on. */
export const Next = z
  .object({
    operation: z.string().describe('As the door names it.'),
    input: z.record(z.string(), z.string()).describe('The members that name it.'),
  })
  .meta({ id: 'NextCall' })
export type Next = z.infer<typeof Next>
