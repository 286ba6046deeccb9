import type { Write } from '#src/ports/store.ts'
import type { Standing, StoredThread, ThreadState } from './thread.ts'

/** Whether threads of this state are in lists and searches. */
export function isListed(state: ThreadState): boolean {
  return state !== 'removed' && state !== 'held'
}

/** The ranks that lists find a thread by, when it is made or restored. */
export function placeOf(
  { board, created_at }: Pick<StoredThread, 'board' | 'created_at'>,
  { state, reply_count }: Pick<Standing, 'state' | 'reply_count'>,
): Pick<Standing, 'board' | 'listed' | 'unanswered'> {
  return { board, listed: 1, unanswered: waits(state, reply_count) ? created_at : null }
}

/** Whether a thread is among the unanswered: it has no replies, and still accepts them. */
export function waits(state: ThreadState, replies: number): boolean {
  return replies === 0 && (state === 'open' || state === 'answered')
}

/** What takes a thread out of every list. */
export const nowhere: Pick<Standing, 'board' | 'listed' | 'unanswered'> = {
  board: null,
  listed: null,
  unanswered: null,
}

/** The tag rows that a thread is found by, for the commit that lists it. */
export function tagged({ id, board, tags }: Pick<StoredThread, 'id' | 'board' | 'tags'>): Write[] {
  return tags.map((tag) => ({
    in: 'commons_tags',
    insert: { id: `${tag} ${id}`, tag, thread_id: id, board },
  }))
}

/**
 * The tag rows to remove: of tags that a thread no longer has, or of a thread that leaves all lists.
 */
export function untagged({ id, tags }: Pick<StoredThread, 'id' | 'tags'>): Write[] {
  return tags.map((tag) => ({ in: 'commons_tags', delete: { id: `${tag} ${id}` } }))
}
