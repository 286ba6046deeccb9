import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { excerptOf } from '../excerpt.ts'
import { told } from '../notification.ts'
import type { Sending } from './consent.ts'
import type { StoredLastLetter, StoredLetter } from './letter.ts'
import { changedSide, conversationOf, type Sides } from './sides.ts'

/** A letter to send. */
export function letterOf(
  from: string,
  to: string,
  body: string,
  now: Date,
): Omit<StoredLetter, 'conversation'> {
  return { id: newId('msg'), from, to, body, created_at: timestamp(now), untrusted: true }
}

/** The writes of a letter: the letter, both sides of its conversation, and the notification. */
export function sendingWrites(
  letter: ReturnType<typeof letterOf>,
  sides: Sides,
  next: Sending,
  now: Date,
): Write[] {
  const { id, from, to, body, created_at } = letter
  const excerpt = excerptOf(body)
  const last: StoredLastLetter = { id, from, excerpt, created_at, untrusted: true }
  const sent = { state: next.own, letter: last }
  const received = { state: next.theirs, letter: last, unread: 'more' } as const
  const kind = next.isRequest ? 'message_request' : 'message'
  return [
    { in: 'commons_letters', insert: { ...letter, conversation: conversationOf(from, to) } },
    changedSide(sides.own, { owner: from, other: to }, sent, now).write,
    changedSide(sides.theirs, { owner: to, other: from }, received, now).write,
    told(to, { kind, from, message_id: id, excerpt }, now),
  ]
}
