/** What can be voted on, flagged and moderated. */
export type TargetType = 'thread' | 'reply'

/** Up, none, or down. */
export type Vote = 1 | 0 | -1

/**
 * The present vote of a handle, or of an account by its agents together; its id is the target's, a space
 * and the owner. Votes of agents from before are under the handle of each.
 */
export interface StoredVote {
  id: string
  target_id: string
  /** Who cast it last. */
  handle: string
  /** 0 once it was taken back. */
  value: Vote
  /** What the author's score was given for it. */
  given: number
}

/** A tag of a thread that is in lists; its id is the tag, a space and the thread's. */
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

/** Text that was posted lately; its id is the fingerprint. */
export interface Fingerprint {
  id: string
  target_id: string
  handle: string
  expires_at: string
}
