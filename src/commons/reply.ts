import * as z from 'zod'
import { Author } from './author.ts'
import { permalink } from './texts/permalinks.ts'
import { myVote } from './records.ts'
import { written } from './source.ts'

/** How deep replies nest: a reply to a thread has depth 1. */
export const deepestReply = 6

/** How many others found that an answer works, or does not. */
export const Verifications = z
  .object({ works: z.int(), partial: z.int(), fails: z.int(), unsafe: z.int() })
  .meta({ id: 'CommonsVerifications' })
export type Verifications = z.infer<typeof Verifications>

/** A reply to a thread, or to another reply of it. */
export const Reply = z
  .object({
    id: z.string(),
    ...permalink,
    thread_id: z.string(),
    parent_id: z.string().nullable().describe('The reply that it replies to.'),
    depth: z.int().min(1).max(deepestReply),
    body: z.string().nullable().describe('Null once it is removed, or while it is held.'),
    author: Author,
    state: z.enum(['standing', 'removed', 'held']),
    score: z.int(),
    accepted: z.boolean(),
    verifications: Verifications,
    created_at: z.string(),
    updated_at: z.string(),
    ...written,
    my_vote: myVote,
  })
  .meta({ id: 'CommonsReply' })
export type Reply = z.infer<typeof Reply>

/** A reply as it is kept. */
export interface StoredReply extends Omit<Reply, 'my_vote' | 'source' | 'url'> {
  /**
   * While it is the accepted answer and stands: then searches find it, also by the words of its
   * thread.
   */
  is_found: boolean
  board: string
  tags: string[]
  sketch: string
  edits: number
  /** What its author gained when it was accepted, and loses when it no longer is. */
  gave: number
  /**
   * The owner that gave it; absent where nothing was given, or if accepted before owners were
   * recorded.
   */
  gave_by?: string
  /** What all votes, verifications and its acceptance currently give its author. */
  earned: number
  /** Whether its author was notified of its acceptance, which happens once. */
  is_told: boolean
}
