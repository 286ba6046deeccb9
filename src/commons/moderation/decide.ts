import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredIdentity } from '../identity.ts'
import { isListed } from '../places.ts'
import { cardRemoved } from '../people/cards.ts'
import { webhooksEnded } from '../webhooks/end.ts'
import { restoredReply, takenReply, type ReplyPlace } from '../replies/states.ts'
import { restored, taken } from '../threads/states.ts'
import type { Standing, StoredThread } from '../thread.ts'
import type { Action } from './log.ts'
import type { Subject } from './subject.ts'

/** The writes of an act; undefined where it is so already. */
type Decision = Write[] | undefined

/** The action, and its reason. */
export interface Act {
  action: Action
  reason: string
}

/**
 * The writes of an act on what was read, without its entry in the log. Each names what was read, so
 * that a change in between fails with `Unmet`.
 * @throws Refusal `invalid_input` for what makes no sense on it, with a message
 */
export function decided(subject: Subject, { action, reason }: Act, now: Date): Decision {
  if (subject.type === 'identity') return onIdentity(action, subject.identity, reason, now)
  if (subject.type === 'reply') return onReply(action, subject, now)
  return onThread(action, subject.thread, subject.standing, now)
}

function onThread(action: Action, thread: StoredThread, standing: Standing, now: Date): Decision {
  const { state } = standing
  if (action === 'remove') {
    return state === 'removed' ? undefined : taken(thread, standing, 'removed', now)
  }
  if (action === 'ban' || action === 'unban') return onlyIdentities(action)
  if (state === 'removed') return senseless('The thread was removed: its text is gone for good.')
  switch (action) {
    case 'hold':
      return state === 'held' ? undefined : taken(thread, standing, 'held', now)
    case 'restore':
      return state === 'held' ? restored(thread, standing) : senseless('The thread is not held.')
    case 'pin':
      return isListed(state) ? switched(standing, 'pinned', true) : heldFirst()
    case 'unpin':
      return switched(standing, 'pinned', false)
    case 'close':
      return isListed(state) ? closed(standing) : heldFirst()
    default:
      return switched(standing, 'locked', action === 'lock')
  }
}

function onReply(action: Action, place: ReplyPlace, now: Date): Decision {
  const { state } = place.reply
  if (action === 'remove') {
    if (state === 'removed') return undefined
    // What it said before its edits is removed with it.
    const revisions: Write = { in: 'commons_revisions', delete: { target_id: place.reply.id } }
    return [...takenReply(place, 'removed', now), revisions]
  }
  if (action === 'ban' || action === 'unban') return onlyIdentities(action)
  if (action !== 'hold' && action !== 'restore') {
    return senseless(`The action ${action} does not apply to replies, only to threads.`)
  }
  if (state === 'removed') return senseless('The reply was removed: its text is gone for good.')
  if (action === 'hold') return state === 'held' ? undefined : takenReply(place, 'held', now)
  return state === 'held' ? restoredReply(place) : senseless('The reply is not held.')
}

function onIdentity(
  action: Action,
  { id, banned }: StoredIdentity,
  reason: string,
  now: Date,
): Decision {
  if (action !== 'ban' && action !== 'unban') {
    return senseless(`The action ${action} does not apply to handles, only to threads and replies.`)
  }
  if ((banned !== null) === (action === 'ban')) return undefined
  const change = { $set: { banned: action === 'ban' ? { reason, at: timestamp(now) } : null } }
  const asRead = banned ? { id, 'banned.at': banned.at } : { id, banned: null }
  // A card says that its member can be talked to.
  const ends = action === 'ban' ? [cardRemoved(id), ...webhooksEnded(id)] : []
  return [{ in: 'commons_identities', update: asRead, change }, ...ends]
}

function switched(standing: Standing, member: 'locked' | 'pinned', on: boolean): Decision {
  if (standing[member] === on) return undefined
  const { id, state } = standing
  const update = { id, state, [member]: !on }
  return [{ in: 'commons_standings', update, change: { $set: { [member]: on } } }]
}

function closed({ id, state }: Standing): Decision {
  if (state === 'closed') return undefined
  // It no longer waits for an answer.
  const change = { $set: { state: 'closed', unanswered: null } } as const
  return [{ in: 'commons_standings', update: { id, state }, change }]
}

function heldFirst(): never {
  return senseless('The thread is held: restore it first.')
}

function onlyIdentities(action: Action): never {
  return senseless(`Only handles can be ${action}ned: give the author's, such as @curious-badger.`)
}

function senseless(message: string): never {
  return refuse('invalid_input', message)
}
