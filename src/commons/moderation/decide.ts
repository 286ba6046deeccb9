import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredIdentity } from '../identity.ts'
import { isListed } from '../places.ts'
import { cardRemoved } from '../people/cards.ts'
import { webhooksEnded } from '../webhooks/end.ts'
import { restoredReply, takenReply } from '../replies/states.ts'
import { restored, taken } from '../threads/states.ts'
import type { Standing } from '../thread.ts'
import type { Action } from './log.ts'
import { settledAsRead, type StoredMatter } from './matter.ts'
import type { Content, Subject } from './subject.ts'

/** The writes of an act; undefined where it is so already. */
type Decision = Write[] | undefined

type ContentAction = Exclude<Action, 'ban' | 'unban'>
type ThreadContent = Extract<Content, { type: 'thread' }>
type ReplyContent = Extract<Content, { type: 'reply' }>

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
  if (action === 'ban' || action === 'unban') return onlyIdentities(action)
  if (subject.type === 'reply') return onReply(action, subject, now)
  return onThread(action, subject, now)
}

function onThread(action: ContentAction, content: ThreadContent, now: Date): Decision {
  const { thread, standing, matter } = content
  const { state } = standing
  if (action === 'remove') {
    return state === 'removed' ? undefined : taken(thread, standing, 'removed', now)
  }
  if (state === 'removed') return senseless('The thread was removed: its text is gone for good.')
  switch (action) {
    case 'hold':
      return state === 'held' ? heldAlready(matter) : taken(thread, standing, 'held', now)
    case 'dismiss':
      return dismissed(matter, state)
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

function onReply(action: ContentAction, place: ReplyContent, now: Date): Decision {
  const { state } = place.reply
  if (action === 'remove') {
    if (state === 'removed') return undefined
    // What it said before its edits is removed with it.
    const revisions: Write = { in: 'commons_revisions', delete: { target_id: place.reply.id } }
    return [...takenReply(place, 'removed', now), revisions]
  }
  if (action !== 'hold' && action !== 'restore' && action !== 'dismiss') {
    return senseless(`The action ${action} does not apply to replies, only to threads.`)
  }
  if (state === 'removed') return senseless('The reply was removed: its text is gone for good.')
  if (action === 'dismiss') return dismissed(place.matter, state)
  if (action === 'hold') {
    return state === 'held' ? heldAlready(place.matter) : takenReply(place, 'held', now)
  }
  return state === 'held' ? restoredReply(place) : senseless('The reply is not held.')
}

/** Where its author has appealed, holding it again rejects that. */
function heldAlready(matter: StoredMatter | undefined): Decision {
  return matter?.state === 'appealed' ? [] : undefined
}

/** Its flags no longer count; it stands as before. */
function dismissed(matter: StoredMatter | undefined, state: string): Decision {
  if (state === 'held') return senseless('It is held: restore it, or remove it.')
  return matter ? settledAsRead(matter) : undefined
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

function onlyIdentities(action: 'ban' | 'unban'): never {
  return senseless(`Only handles can be ${action}ned: give the author's, such as @curious-badger.`)
}

function senseless(message: string): never {
  return refuse('invalid_input', message)
}
