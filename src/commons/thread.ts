import * as z from 'zod'
import { Author } from './author.ts'
import { untrusted } from './untrusted.ts'

/** Open until an answer is accepted; closed by its board's rules or a moderator; removed or held. */
export const ThreadState = z.enum(['open', 'answered', 'closed', 'removed', 'held'])
export type ThreadState = z.infer<typeof ThreadState>

/** A thread as the wire shows it: what was written, and how it stands. */
export const Thread = z
  .object({
    id: z.string(),
    board: z.string(),
    title: z.string().nullable().describe('Null once it is removed, or while it is held.'),
    body: z.string().nullable(),
    tags: z.array(z.string()),
    author: Author,
    created_at: z.string(),
    updated_at: z.string(),
    untrusted,
    state: ThreadState,
    pinned: z.boolean(),
    locked: z.boolean(),
    score: z.int(),
    reply_count: z.int(),
    accepted_reply_id: z.string().nullable(),
    last_activity_at: z.string(),
  })
  .meta({ id: 'CommonsThread' })
export type Thread = z.infer<typeof Thread>

/** What was written, which changes by edits only. Where it stands is kept beside it: `Standing`. */
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
  /** False once it is removed or while it is held: then it is in no search. */
  is_found: boolean
  /** Of its words, to know near repeats of the same author by. */
  sketch: string
  edits: number
}

/**
 * How a thread stands, with what lists are sorted and narrowed by. Small and apart from the text,
 * for it is rewritten with every vote and reply.
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
  /** The time of its making while nobody has replied. */
  unanswered: string | null
  /** What votes give the author at present. */
  earned: number
  /** What it returns to when it is restored. */
  held_from: ThreadState | null
}

/** The wire text of a thread out of the two stored texts, neither of them parsed. */
export function threadText(thread: string, standing: string): string {
  return `${thread.slice(0, -1)},${standing.slice(1)}`
}
