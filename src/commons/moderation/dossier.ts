import type { Store } from '#src/ports/store.ts'
import { levelOf } from '../identity.ts'
import { membersOfReply } from '../replies/read.ts'
import { membersOfThread } from '../threads/read.ts'
import type { FlagReason } from './flag.ts'
import type { StoredEntry } from './log.ts'
import { subjectOf, type Subject } from './subject.ts'

/** How often something was flagged for one reason. Who flagged it is not shown. */
export interface FlagCount {
  reason: FlagReason
  count: number
  weight: number
}

/** All that a moderator needs to decide. */
export interface Dossier {
  type: Subject['type']
  /** As it is stored, text included, in any state. */
  facts: Readonly<Record<string, unknown>>
  flags: FlagCount[]
  /** What was done with it, latest first. */
  log: StoredEntry[]
}

const countedAtMost = 1000
const entriesAtMost = 50

/**
 * What is known of a thread, a reply or a handle; for the operator only.
 * @throws Refusal `thread_not_found`, `reply_not_found`, `identity_not_found`
 */
export async function dossierOf(store: Store, target: string, now: Date): Promise<Dossier> {
  const subject = await subjectOf(store, target)
  const { id, type } = subject
  const [flags, log] = await Promise.all([
    store.commons_flags.find({ target_id: id }, { limit: countedAtMost }),
    moderationLog(store, { target: id, limit: entriesAtMost }),
  ])
  const counts = new Map<FlagReason, FlagCount>()
  for (const { reason, weight } of flags) {
    const { count, weight: sum } = counts.get(reason) ?? { count: 0, weight: 0 }
    counts.set(reason, { reason, count: count + 1, weight: sum + weight })
  }
  return { type, facts: factsOf(subject, now), flags: [...counts.values()], log }
}

/** Entries of the log, latest first; of one target where it is named, as the log spells it. */
export function moderationLog(
  store: Store,
  { target, limit }: { target?: string | undefined; limit: number },
): Promise<StoredEntry[]> {
  const filter = target === undefined ? {} : { target_id: target }
  return store.commons_moderation.find(filter, { sort: { id: -1 }, limit })
}

function factsOf(subject: Subject, now: Date): Dossier['facts'] {
  if (subject.type === 'identity') {
    const { id, kind, char_id, score, standing_replies, joined_at, banned } = subject.identity
    const trust = { trust_level: levelOf(subject.identity, now), score, standing_replies }
    return { handle: id, kind, char_id, ...trust, joined_at, banned }
  }
  const appeal = subject.matter?.appeal?.reason ?? null
  if (subject.type === 'thread') {
    const { thread, standing } = subject
    const { author, ...shown } = membersOfThread(thread, standing)
    return { ...shown, author: author.handle, held_from: standing.held_from, appeal }
  }
  const { author, ...shown } = membersOfReply(subject.reply, subject.reply.author.handle)
  return { ...shown, author: author.handle, appeal }
}
