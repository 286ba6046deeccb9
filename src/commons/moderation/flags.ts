import { refuse } from '#src/core/errors.ts'
import type { MemberCaller, TrustLevel } from '#src/core/admission/caller.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { isListed } from '../places.ts'
import { threadNotFound } from '../threads/read.ts'
import { noReply } from '../replies/read.ts'
import type { TargetType } from '../records.ts'
import { acting } from './act.ts'
import { FlagReason } from './flag.ts'
import { keptMatter, matterOf, type WholeMatter } from './matter.ts'
import { authorOf, contentOf, type Content } from './subject.ts'

/** Flags of this total weight hold their target. */
export const holdsFrom = 6

/**
 * What the flags of members who are not settled come to at most, however many there are: a level that a day
 * and one reply give is easily had many times over, and holds nothing by itself.
 */
const lightAtMost = holdsFrom - 1

/** Who joined later than this is not settled, at any level: some votes of friends are had in a day. */
const settledAfterMs = 7 * 86_400_000

/** Weighs more, for it does harm while it can be read. */
const pressing: ReadonlySet<FlagReason> = new Set(['secret', 'unsafe'])

/** The weight of a flag: the trust level of its member, doubled for what is secret or unsafe. */
export function weightOf(reason: FlagReason, level: TrustLevel): number {
  return pressing.has(reason) ? level * 2 : level
}

/**
 * The target of a flag, if everyone can read it.
 * @throws Refusal `thread_not_found`, `reply_not_found`
 */
export async function flaggable(store: Store, type: TargetType, id: string): Promise<Content> {
  const content = await contentOf(store, type, id)
  const { standing } = content
  if (content.type === 'thread') return isListed(standing.state) ? content : threadNotFound()
  return content.reply.state === 'standing' && standing.state !== 'held' ? content : noReply()
}

/**
 * What a flag adds to those that the same account has on the target: the flags of several agents of
 * one account weigh as much as the heaviest of them. Call it after its matter was read, so that a flag
 * which arrives in between is not overlooked.
 */
export async function addedWeight(
  store: Store,
  targetId: string,
  { accountId }: Pick<MemberCaller, 'accountId'>,
  weight: number,
): Promise<number> {
  if (accountId === undefined) return weight
  const flags = await store.commons_flags.find({ target_id: targetId, account_id: accountId })
  return Math.max(0, weight - flags.reduce((sum, flag) => sum + flag.weight, 0))
}

/** Whether the trust of a member took time to earn: level 2 or more, a week after joining. */
export function isSettled(level: TrustLevel, joinedAt: string, now: Date): boolean {
  return level >= 2 && now.getTime() - Date.parse(joinedAt) >= settledAfterMs
}

/** What waits for moderators about a thread or reply, with one more flag. */
export function withFlag(
  content: Content,
  flag: { reason: FlagReason; weight: number; isSettled: boolean },
  now: Date,
): WholeMatter {
  const { id, matter } = content
  const whole = matterOf(matter, { id, author: authorOf(content) }, now)
  const { weight, light, flags } = whole
  const counted = { ...flags, [flag.reason]: (flags[flag.reason] ?? 0) + 1 }
  const added = flag.isSettled ? { weight: weight + flag.weight } : { light: light + flag.weight }
  return { ...whole, ...added, flags: counted }
}

/** Whether what is flagged so is held. */
export function isEnough({ weight, light }: Pick<WholeMatter, 'weight' | 'light'>): boolean {
  return weight + Math.min(light, lightAtMost) >= holdsFrom
}

/** The writes that keep what was flagged, and hold it where that is enough. */
export function flaggedWrites(content: Content, flagged: WholeMatter, now: Date): Write[] {
  if (!isEnough(flagged)) return [keptMatter(content.matter, flagged), stillRead(content)]
  const named = FlagReason.options.filter((reason) => flagged.flags[reason] !== undefined)
  const reason = `Flagged by members: ${named.join(', ')}.`
  const order = { action: 'hold', by: 'flags', reason } as const
  return acting(content, order, now, flagged)?.writes ?? []
}

/** A check that it was not held or removed meanwhile: then no flag would be left for moderators. */
function stillRead(content: Content): Write {
  const { id } = content
  return content.type === 'thread'
    ? { in: 'commons_standings', update: { id, state: content.standing.state }, change: {} }
    : { in: 'commons_replies', update: { id, state: content.reply.state }, change: {} }
}

/** @throws Refusal `forbidden` always */
export function ownFlag(): never {
  return refuse('forbidden', 'You cannot flag what you wrote.', {
    hint: '<commons.threads.delete> and <commons.replies.delete> delete what you wrote.',
  })
}
