import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { settledMatter } from '../moderation/matter.ts'
import { forfeited } from '../scores/worth.ts'
import { nowhere, placeOf, tagged, untagged } from '../places.ts'
import type { Standing, StoredThread } from '../thread.ts'

/**
 * The writes that take a thread out of lists and searches: held until restored or removed, or removed
 * for good with its text, its revisions and what it earned. Replies stay. `edits` counts it as a
 * change, so that an edit which has read the thread before fails: `Unmet`, as these do where others
 * were quicker.
 */
export function taken(
  thread: StoredThread,
  standing: Standing,
  to: 'removed' | 'held',
  now: Date,
): Write[] {
  const { id } = thread
  const isRemoved = to === 'removed'
  const gone = isRemoved ? { title: null, body: null, tags: [], updated_at: timestamp(now) } : {}
  return [
    {
      in: 'commons_standings',
      update: { id, state: standing.state, ...(isRemoved && { earned: standing.earned }) },
      change: {
        $set: {
          state: to,
          held_from: isRemoved ? null : standing.state,
          ...nowhere,
          ...(isRemoved && { earned: 0 }),
        },
      },
    },
    {
      in: 'commons_threads',
      update: { id, edits: thread.edits },
      change: { $set: { is_found: false, ...gone }, $inc: { edits: 1 } },
    },
    ...untagged(thread),
    ...(isRemoved
      ? [
          { in: 'commons_revisions', delete: { target_id: id } } as const,
          { in: 'commons_vectors', delete: { id } } as const,
          settledMatter(id),
          ...forfeited(standing.author, standing.earned),
        ]
      : []),
  ]
}

/**
 * The writes that restore a held thread to where it was. They fail (`Unmet`) if it is no longer held,
 * was edited or has other replies since it was read.
 */
export function restored(thread: StoredThread, standing: Standing): Write[] {
  const { id } = thread
  const state = standing.held_from ?? 'open'
  return [
    {
      in: 'commons_standings',
      update: { id, state: 'held', reply_count: standing.reply_count },
      change: {
        $set: {
          state,
          held_from: null,
          ...placeOf(thread, { ...standing, state }),
        },
      },
    },
    {
      in: 'commons_threads',
      update: { id, edits: thread.edits },
      change: { $set: { is_found: true }, $inc: { edits: 1 } },
    },
    ...tagged(thread),
  ]
}
