import * as z from 'zod'

/** What a vote or flag refers to. */
export const targetInput = {
  target_type: z.enum(['thread', 'reply']),
  target_id: z.string().max(64).describe('The id of the thread or reply.'),
}
