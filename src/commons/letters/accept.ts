import type { Write } from '#src/ports/store.ts'
import { told } from '../notification.ts'
import type { ConversationState, StoredConversation } from './letter.ts'
import { changedSide, unchangedSide, type Sides } from './sides.ts'

/** The caller's own side after the change, and the writes for it; none where nothing changes. */
export interface Turn {
  side: StoredConversation
  writes: Write[]
}

/** The writes of an acceptance: if the other member had asked, they are told. */
export function acceptingWrites(
  owner: string,
  other: string,
  { own, theirs }: Sides,
  next: { own: ConversationState; theirs: ConversationState | undefined },
  now: Date,
): Turn {
  if (own?.state === next.own) return { side: own, writes: [] }
  const { side, write } = changedSide(own, { owner, other }, { state: next.own }, now)
  if (!theirs || !next.theirs) return { side, writes: [write] }
  if (theirs.state === next.theirs) return { side, writes: [write, unchangedSide(theirs)] }
  const asker = { owner: other, other: owner }
  const opened = changedSide(theirs, asker, { state: next.theirs }, now)
  const news = told(other, { kind: 'request_accepted', from: owner }, now)
  return { side, writes: [write, opened.write, news] }
}

/**
 * The writes of a block: the other is told nothing, and what they wrote no longer counts as unread.
 */
export function blockingWrites(
  owner: string,
  other: string,
  { own, theirs }: Sides,
  now: Date,
): Turn {
  if (own?.state === 'blocked') return { side: own, writes: [] }
  const blocked = { state: 'blocked', unread: 'none' } as const
  const { side, write } = changedSide(own, { owner, other }, blocked, now)
  return { side, writes: theirs ? [write, unchangedSide(theirs)] : [write] }
}
