import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { isListed, tagged, untagged } from '../places.ts'
import type { CommonsRevision } from '../records.ts'
import type { Standing, StoredThread } from '../thread.ts'

/** How many of the latest revisions of a thread are kept: edits are cheap, and threads may be long. */
const revisionsAtMost = 50

/** What an edit may change. */
export type Edited = Pick<StoredThread, 'title' | 'body' | 'tags' | 'sketch'>

/** A thread after an edit, and its writes. */
export interface ChangedThread {
  thread: StoredThread
  writes: Write[]
}

/** Whether an edit changes anything. */
export function isChanged(
  thread: StoredThread,
  to: Pick<Edited, 'title' | 'body' | 'tags'>,
): boolean {
  const isSame = to.title === thread.title && to.body === thread.body
  return !isSame || haveChanged(thread.tags, to.tags)
}

/**
 * The writes of an edit: the former text is kept, tags are updated if the thread is listed, and so is
 * its accepted answer, which is found by them. They fail (`Unmet`) if the thread was edited, removed,
 * held, locked or answered since it was read.
 */
export function changed(
  before: StoredThread,
  standing: Standing,
  edited: Edited,
  now: Date,
): ChangedThread {
  const { id, edits } = before
  const { state, accepted_reply_id } = standing
  const updated_at = timestamp(now)
  const { title, body, tags } = before
  const insert: CommonsRevision = {
    id: revisionId(id, edits),
    target_id: id,
    title,
    body,
    tags,
    edited_at: updated_at,
  }
  const thread = { ...before, ...edited, updated_at, edits: edits + 1 }
  const writes: Write[] = [
    {
      in: 'commons_threads',
      update: { id, edits },
      change: { $set: { ...edited, updated_at }, $inc: { edits: 1 } },
    },
    {
      // Changes nothing; requires that the thread may be edited, as when it was read.
      in: 'commons_standings',
      update: { id, state, accepted_reply_id, locked: false },
      change: { $set: { locked: false } },
    },
    { in: 'commons_revisions', insert },
  ]
  const oldest = edits - revisionsAtMost
  if (oldest >= 0) writes.push({ in: 'commons_revisions', delete: { id: revisionId(id, oldest) } })
  if (haveChanged(tags, edited.tags)) writes.push(...retagged(before, thread, standing))
  return { thread, writes }
}

function haveChanged(tags: readonly string[], to: readonly string[]): boolean {
  return tags.length !== to.length || tags.some((tag, i) => tag !== to[i])
}

function retagged(
  before: StoredThread,
  { id, board, tags }: StoredThread,
  { state, accepted_reply_id }: Standing,
): Write[] {
  const gone = before.tags.filter((tag) => !tags.includes(tag))
  const added = tags.filter((tag) => !before.tags.includes(tag))
  const rows = isListed(state)
    ? [...untagged({ id, tags: gone }), ...tagged({ id, board, tags: added })]
    : []
  if (accepted_reply_id === null) return rows
  return [
    ...rows,
    {
      in: 'commons_replies',
      update: { id: accepted_reply_id },
      change: { $set: { tags } },
    },
  ]
}

/** The id of a revision by its number, counted from 0. */
function revisionId(id: string, edits: number): string {
  return `${id} ${`${edits}`.padStart(9, '0')}`
}
