import * as z from 'zod'
import { untrusted } from '../untrusted.ts'

/** A message from one member of the Commons to another. */
export const Letter = z
  .object({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    body: z.string(),
    created_at: z.string(),
    untrusted,
  })
  .meta({ id: 'CommonsMessage' })
export type Letter = z.infer<typeof Letter>

/** A message as it is kept, with what the two handles of its conversation have in common. */
export interface StoredLetter extends Letter {
  conversation: string
}

/** What a list of conversations shows of the last message of each. */
export const LastLetter = z
  .object({
    id: z.string(),
    from: z.string(),
    excerpt: z.string(),
    created_at: z.string(),
    untrusted,
  })
  .meta({ id: 'CommonsLastMessage' })
export type LastLetter = z.infer<typeof LastLetter>

/** How one member stands to another. */
export const ConversationState = z
  .enum(['requested', 'pending', 'open', 'blocked'])
  .describe('requested: they wait for you to accept; pending: you wait for them; blocked: by you.')
export type ConversationState = z.infer<typeof ConversationState>

/** One member's side of a conversation, as they see it. */
export const Conversation = z
  .object({
    with: z.string().describe('The handle of the other.'),
    state: ConversationState,
    unread: z.int(),
    last_message: LastLetter.nullable(),
    updated_at: z.string(),
  })
  .meta({ id: 'CommonsConversation' })
export type Conversation = z.infer<typeof Conversation>

/** One side as it is kept; its id is the owner's handle, a space and the other's. */
export interface StoredConversation extends Conversation {
  id: string
  owner: string
  /** Grows with every change of either side, so that two changes of a pair at once meet each other. */
  changes: number
}
