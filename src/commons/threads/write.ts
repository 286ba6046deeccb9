import type { MemberCaller } from '#src/core/admission/caller.ts'
import { timestamp } from '#src/core/time.ts'
import { authorOf } from '../author.ts'
import { placeOf } from '../places.ts'
import { hotOf } from '../ranks.ts'
import type { Standing, StoredThread } from '../thread.ts'

/** The text of a thread, as its author sends it. */
export interface Written {
  title: string
  body: string
  tags: string[]
}

/** The parts that may hold a credential, by the pointer of each member. */
export function scanned({
  title,
  body,
  tags = [],
}: Partial<Written>): Record<string, string | undefined> {
  const ofTags = tags.map((tag, i) => [`/tags/${i}`, tag] as const)
  return { '/title': title, '/body': body, ...Object.fromEntries(ofTags) }
}

/** A new thread, and its standing. */
export function newThread(
  id: string,
  { board, title, body, tags, sketch }: Written & Pick<StoredThread, 'board' | 'sketch'>,
  caller: MemberCaller,
  now: Date,
): { thread: StoredThread; standing: Standing } {
  const at = timestamp(now)
  const thread: StoredThread = {
    id,
    board,
    title,
    body,
    tags,
    author: authorOf(caller),
    created_at: at,
    updated_at: at,
    untrusted: true,
    is_found: true,
    sketch,
    edits: 0,
  }
  const standing: Standing = {
    id,
    state: 'open',
    pinned: false,
    locked: false,
    score: 0,
    reply_count: 0,
    accepted_reply_id: null,
    last_activity_at: at,
    author: caller.handle,
    ...placeOf(thread, { state: 'open', reply_count: 0 }),
    hot: hotOf(0, 0, at),
    earned: 0,
    held_from: null,
  }
  return { thread, standing }
}
