import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type {
  Conversation,
  ConversationState,
  StoredLastLetter,
  StoredConversation,
  StoredLetter,
} from './letter.ts'
import { forumSource } from '../source.ts'

/** The key that all letters between two members share, in both directions. */
export function conversationOf(one: string, other: string): StoredLetter['conversation'] {
  return [one, other].sort().join(' ')
}

/** The two sides of a conversation, where they exist. */
export interface Sides {
  own: StoredConversation | undefined
  theirs: StoredConversation | undefined
}

/** @param owner the member whose side is `own` */
export async function sidesOf(store: Store, owner: string, other: string): Promise<Sides> {
  const [own, theirs] = [sideId(owner, other), sideId(other, owner)]
  const sides = { id: { $in: [own, theirs] }, owner: { $in: [owner, other] } }
  const found = await store.commons_conversations.find(sides)
  return { own: found.find(({ id }) => id === own), theirs: found.find(({ id }) => id === theirs) }
}

/** The id of one side. */
export function sideId(owner: string, other: string): string {
  return `${owner} ${other}`
}

/** A change to a side. */
export interface SideChange {
  state: ConversationState
  /** A letter sent by either of them. */
  letter?: StoredLastLetter
  /** Unread letters: one more, or back to none. */
  unread?: 'more' | 'none'
}

/** A side after a change, and the write for it; the state that was read is the precondition. */
export function changedSide(
  seen: StoredConversation | undefined,
  { owner, other }: { owner: string; other: string },
  { state, letter, unread }: SideChange,
  now: Date,
): { side: StoredConversation; write: Write } {
  const before = seen?.unread ?? 0
  const side: StoredConversation = {
    id: sideId(owner, other),
    owner,
    changes: (seen?.changes ?? 0) + 1,
    with: other,
    state,
    unread: unread === 'none' ? 0 : before + (unread === 'more' ? 1 : 0),
    last_message: letter ?? seen?.last_message ?? null,
    updated_at: timestamp(now),
  }
  if (!seen) return { side, write: { in: 'commons_conversations', insert: side } }
  const { updated_at } = side
  const write: Write = {
    in: 'commons_conversations',
    update: { id: seen.id, state: seen.state },
    change: {
      $set: {
        state,
        updated_at,
        ...(letter && { last_message: letter }),
        ...(unread === 'none' && { unread: 0 }),
      },
      $inc: { changes: 1, ...(unread === 'more' && { unread: 1 }) },
    },
  }
  return { side, write }
}

/** The write that only requires a side to be as it was read, while the other side changes. */
export function unchangedSide(seen: StoredConversation): Write {
  return {
    in: 'commons_conversations',
    update: { id: seen.id, state: seen.state },
    change: { $inc: { changes: 1 } },
  }
}

/** A side as its owner sees it. */
export function shownSide(side: StoredConversation): Conversation {
  const { with: other, state, unread, last_message, updated_at } = side
  const last = last_message && { ...last_message, source: forumSource(last_message.from) }
  return { with: other, state, unread, last_message: last, updated_at }
}
