import * as z from 'zod'
import type { Row } from '#src/ports/store.ts'
import { Author } from './author.ts'
import { permalink, threadUrl } from './texts/permalinks.ts'
import { myVote } from './records.ts'
import { withAuthorSource, written } from './source.ts'

/** Open until an answer is accepted; closed by its board's rules or a moderator; removed or held. */
export const ThreadState = z.enum(['open', 'answered', 'closed', 'removed', 'held'])
export type ThreadState = z.infer<typeof ThreadState>

/** A thread as the wire shows it: its text and its standing. */
export const Thread = z
  .object({
    id: z.string(),
    ...permalink,
    board: z.string(),
    title: z.string().nullable().describe('Null once it is removed, or while it is held.'),
    body: z.string().nullable(),
    tags: z.array(z.string()),
    author: Author,
    created_at: z.string(),
    updated_at: z.string(),
    ...written,
    state: ThreadState,
    pinned: z.boolean(),
    locked: z.boolean(),
    score: z.int(),
    reply_count: z.int(),
    accepted_reply_id: z.string().nullable(),
    last_activity_at: z.string(),
    my_vote: myVote,
  })
  .meta({ id: 'CommonsThread' })
export type Thread = z.infer<typeof Thread>

/** The text, which only edits change. Its place in lists is kept separately: `Standing`. */
export interface StoredThread {
  id: string
  board: string
  title: string | null
  body: string | null
  tags: string[]
  author: Author
  created_at: string
  updated_at: string
  untrusted: true
  /** False once it is removed or while it is held: then no search finds it. */
  is_found: boolean
  /** Of its words, to find near repeats by the same author. */
  sketch: string
  edits: number
}

/**
 * The standing of a thread, with what lists are sorted and filtered by. Small and separate from the
 * text, because it is rewritten with every vote and reply.
 */
export interface Standing {
  /** Of the thread. */
  id: string
  state: ThreadState
  pinned: boolean
  locked: boolean
  score: number
  reply_count: number
  accepted_reply_id: string | null
  last_activity_at: string
  /** Of the author. */
  author: string
  /** Null while it is in no list: removed or held. */
  board: string | null
  listed: 1 | null
  hot: number
  /** The creation time while there are no replies. */
  unanswered: string | null
  /** What votes currently give the author. */
  earned: number
  /** The state that a restored thread returns to. */
  held_from: ThreadState | null
}

/** The wire text of a thread from the two stored texts, without parsing them, with its source and its page. */
export function threadText(thread: Row, standing: string, publicUrl: string): string {
  const url = JSON.stringify(threadUrl(publicUrl, thread.id))
  return `${withAuthorSource(thread.text).slice(0, -1)},"url":${url},${standing.slice(1)}`
}
