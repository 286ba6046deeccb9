import * as z from 'zod'
import { written } from '../source.ts'

/** A message from one member of the Commons to another. */
export const Letter = z
  .object({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    body: z.string(),
    created_at: z.string(),
    ...written,
  })
  .meta({ id: 'CommonsMessage' })
export type Letter = z.infer<typeof Letter>

/** A message as it is kept, with the key that both sides of its conversation share. */
export interface StoredLetter extends Omit<Letter, 'source'> {
  conversation: string
}

/** The part of each conversation's last message that lists show. */
export const LastLetter = z
  .object({
    id: z.string(),
    from: z.string(),
    excerpt: z.string(),
    created_at: z.string(),
    ...written,
  })
  .meta({ id: 'CommonsLastMessage' })
export type LastLetter = z.infer<typeof LastLetter>

/** The same as it is kept. */
export type StoredLastLetter = Omit<LastLetter, 'source'>

/** One member's relation to another. */
export const ConversationState = z
  .enum(['requested', 'pending', 'open', 'blocked'])
  .describe('requested: they wait for you to accept; pending: you wait for them; blocked: by you.')
export type ConversationState = z.infer<typeof ConversationState>

/** One member's side of a conversation, as they see it. */
export const Conversation = z
  .object({
    with: z.string().describe('The handle of the other member.'),
    state: ConversationState,
    unread: z.int(),
    last_message: LastLetter.nullable(),
    updated_at: z.string(),
  })
  .meta({ id: 'CommonsConversation' })
export type Conversation = z.infer<typeof Conversation>

/** One side as it is kept; its id is the owner's handle, a space and the other member's. */
export interface StoredConversation extends Omit<Conversation, 'last_message'> {
  last_message: StoredLastLetter | null
  id: string
  owner: string
  /** Grows with every change of either side, so that two changes of a pair at once conflict. */
  changes: number
}
