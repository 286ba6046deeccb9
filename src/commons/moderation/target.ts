import * as z from 'zod'

/** What can be voted on and flagged. */
export const targetInput = {
  target_type: z.enum(['thread', 'reply']),
  target_id: z.string().max(64).describe('Of the thread or reply.'),
}
