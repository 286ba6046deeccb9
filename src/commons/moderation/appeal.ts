import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { TargetType } from '../records.ts'
import { noReply } from '../replies/read.ts'
import { threadNotFound } from '../threads/read.ts'
import { entryOf, type StoredEntry } from './log.ts'
import { keptMatter, matterIn, matterOf } from './matter.ts'
import { authorOf, contentOf, stateOf, type Content } from './subject.ts'

/**
 * A held thread or reply for which its author appeals.
 * @throws Refusal `thread_not_found`, `reply_not_found`, `not_author`, `not_held`
 */
export async function appealable(
  store: Store,
  type: TargetType,
  id: string,
  handle: string,
): Promise<Content> {
  const content = await contentOf(store, type, id)
  const isOwn = authorOf(content) === handle
  const state = stateOf(content)
  // To other members, replies of a held thread do not exist.
  const isThere = state !== 'removed' && (isOwn || type === 'thread' || isRead(content))
  if (!isThere) return type === 'thread' ? threadNotFound() : noReply()
  if (!isOwn) {
    return refuse('not_author', `Another member wrote this ${type}: only its author can appeal.`)
  }
  return state === 'held' ? content : notHeld(type)
}

function isRead({ standing }: Content): boolean {
  return standing.state !== 'held'
}

/** @throws Refusal `not_held` always */
export function notHeld(type: TargetType): never {
  return refuse('not_held', `This ${type} is not held.`)
}

/** The writes of an appeal. The log says only that there is one: the words wait for moderators. */
export function appealed(
  content: Content,
  reason: string,
  now: Date,
): { entry: StoredEntry; writes: Write[] } {
  const { type, id, matter } = content
  const done = { action: 'appeal', target_type: type, target_id: id, by: 'author' } as const
  const entry = entryOf({ ...done, reason: 'The author asks moderators to decide again.' }, now)
  const whole = matterOf(matter, { id, author: authorOf(content) }, now)
  const appeal = { reason, created_at: timestamp(now) }
  const after = matterIn('appealed', { ...whole, appeal }, now)
  return { entry, writes: [{ in: 'commons_moderation', insert: entry }, keptMatter(matter, after)] }
}

/** What the author of a held thread or reply is told with it: what they can do, or what became of it. */
export async function heldNotice(
  { commons_tallies }: Pick<Store, 'commons_tallies'>,
  target_type: TargetType,
  target_id: string,
): Promise<string> {
  const matter = await commons_tallies.get(target_id)
  const held = `This ${target_type} is held: only you and moderators can see it.`
  if (!matter?.appeal) {
    const appeal = call('commons.appeal', { target_type, target_id })
    return `${held} Ask moderators to decide again, once: ${appeal} with your reason.`
  }
  if (matter.state === 'appealed') return `${held} Your appeal waits for a moderator.`
  return `${held} Your appeal was rejected: <commons.moderation.log> gives the reason.`
}
