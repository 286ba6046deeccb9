import * as z from 'zod'

/** What can be voted on, flagged and moderated. */
export type TargetType = 'thread' | 'reply'

export const Vote = z.literal([1, 0, -1])
/** Up, none, or down. */
export type Vote = z.infer<typeof Vote>

/** What a reader gets of a thread or reply who has a handle, or a key that acts as an agent. */
export const myVote = Vote.optional().describe("Your vote; only with a token or an agent's key.")

/**
 * The current vote of a handle, or of an account through all its agents; its id is the target's, a
 * space and the owner. Older votes of agents are under the handle of each.
 */
export interface StoredVote {
  id: string
  target_id: string
  /** Who cast it last. */
  handle: string
  /** 0 once it was taken back. */
  value: Vote
  /** What it gave the author's score. */
  given: number
}

/** A tag of a listed thread; its id is the tag, a space and the thread's id. */
export interface ThreadTag {
  id: string
  tag: string
  thread_id: string
  board: string
}

/** What a thread or reply said before an edit. */
export interface CommonsRevision {
  id: string
  target_id: string
  title: string | null
  body: string | null
  tags: string[]
  edited_at: string
}

/** A text posted recently; its id is the fingerprint. */
export interface Fingerprint {
  id: string
  target_id: string
  handle: string
  expires_at: string
}
