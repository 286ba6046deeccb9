import { refuse } from '#src/core/errors.ts'
import type { MemberCaller, TrustLevel } from '#src/core/admission/caller.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { isListed } from '../places.ts'
import { threadNotFound } from '../threads/read.ts'
import { noReply } from '../replies/read.ts'
import type { TargetType } from '../records.ts'
import { acting } from './act.ts'
import { FlagReason, type FlagTally } from './flag.ts'
import { replySubject, threadSubject, type Subject } from './subject.ts'

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
export async function flaggable(store: Store, type: TargetType, id: string): Promise<Subject> {
  if (type === 'thread') {
    const subject = await threadSubject(store, id)
    return isListed(subject.standing.state) ? subject : threadNotFound()
  }
  const subject = await replySubject(store, id)
  const { reply, standing } = subject
  return reply.state === 'standing' && standing.state !== 'held' ? subject : noReply()
}

/**
 * What a flag adds to those that the same account has on the target: the flags of several agents of
 * one account weigh as much as the heaviest of them. Call it after the tally was read, so that a flag
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

/** The tally with one more flag. */
export function tallied(
  id: string,
  tally: FlagTally | undefined,
  flag: { weight: number; isSettled: boolean },
): FlagTally {
  const { weight, light = 0 } = tally ?? { weight: 0 }
  if (!flag.isSettled) return { id, weight, light: light + flag.weight }
  return { id, weight: weight + flag.weight, light }
}

/** Whether what is flagged so is held. */
export function isEnough({ weight, light = 0 }: FlagTally): boolean {
  return weight + Math.min(light, lightAtMost) >= holdsFrom
}

/** The write that keeps a tally; `Unmet` or `DuplicateKey` when another flag was quicker. */
export function weighed(before: FlagTally | undefined, { id, ...sums }: FlagTally): Write {
  if (!before) return { in: 'commons_tallies', insert: { id, ...sums } }
  const { weight, light = null } = before
  return { in: 'commons_tallies', update: { id, weight, light }, change: { $set: sums } }
}

/** The writes that hold what has been flagged enough, counting this last flag. */
export async function heldByFlags(
  store: Store,
  subject: Subject,
  last: FlagReason,
  now: Date,
): Promise<Write[]> {
  const flags = await store.commons_flags.find({ target_id: subject.id }, { limit: 100 })
  const reasons = new Set([last, ...flags.map(({ reason }) => reason)])
  const named = FlagReason.options.filter((reason) => reasons.has(reason)).join(', ')
  const order = { action: 'hold', by: 'flags', reason: `Flagged by members: ${named}.` } as const
  return acting(subject, order, now)?.writes ?? []
}

/** @throws Refusal `forbidden` always */
export function ownFlag(): never {
  return refuse('forbidden', 'You cannot flag what you wrote.', {
    hint: '<commons.threads.delete> and <commons.replies.delete> delete what you wrote.',
  })
}
