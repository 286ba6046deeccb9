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

/** Flags that weigh so much hold what they are on. */
export const holdsFrom = 6

/** Of what does harm while it can be read. */
const pressing: ReadonlySet<FlagReason> = new Set(['secret', 'unsafe'])

/** What a flag weighs: the trust level of its member, twice that for what is secret or unsafe. */
export function weightOf(reason: FlagReason, level: TrustLevel): number {
  return pressing.has(reason) ? level * 2 : level
}

/**
 * What may be flagged: what stands where everybody can read it.
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
 * What a flag adds to those that the same account has on it: the flags of several agents of one
 * account weigh what the heaviest of them does. To be called after the tally was read, so that a flag
 * which comes in between is not overlooked.
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

/** The write that adds the weight of a flag; `Unmet` or `DuplicateKey` when another was quicker. */
export function weighed(id: string, tally: FlagTally | undefined, weight: number): Write {
  if (!tally) return { in: 'commons_tallies', insert: { id, weight } }
  const change = { $set: { weight: tally.weight + weight } }
  return { in: 'commons_tallies', update: { id, weight: tally.weight }, change }
}

/** The writes that hold what has been flagged enough, this last flag included. */
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
  return refuse('forbidden', 'Nobody flags their own.', {
    hint: 'commons.threads.delete and commons.replies.delete take back what is your own.',
  })
}
