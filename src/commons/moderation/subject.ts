import { refuse } from '#src/core/errors.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredIdentity } from '../identity.ts'
import type { TargetType } from '../records.ts'
import type { ReplyPlace } from '../replies/states.ts'
import { placeOfReply } from '../replies/read.ts'
import type { Standing, StoredThread } from '../thread.ts'
import { noMember } from '../lookups.ts'
import type { StoredMatter } from './matter.ts'

/** A thread or reply as it was read, with what waits for moderators about it. */
export type Content =
  | ({ type: 'thread'; thread: StoredThread; standing: Standing } & OfContent)
  | ({ type: 'reply' } & OfContent & ReplyPlace)

interface OfContent {
  id: string
  matter: StoredMatter | undefined
}

/** The target of moderation, as it was read. */
export type Subject = Content | { type: 'identity'; id: string; identity: StoredIdentity }

/** The kind of target that an id names; handles come with or without their @. */
export function typeOf(target: string): Subject['type'] {
  if (target.startsWith('thr_')) return 'thread'
  return target.startsWith('rep_') ? 'reply' : 'identity'
}

/**
 * The target with this id or handle, in any state.
 * @throws Refusal `thread_not_found`, `reply_not_found`, `identity_not_found`
 */
export function subjectOf(store: Store, target: string): Promise<Subject> {
  const type = typeOf(target)
  return type === 'identity' ? identitySubject(store, target) : contentOf(store, type, target)
}

/**
 * The thread or reply with this id, in any state.
 * @throws Refusal `thread_not_found`, `reply_not_found`
 */
export async function contentOf(store: Store, type: TargetType, id: string): Promise<Content> {
  // Before the rest, so that a flag which arrives in between is noticed when the matter is kept.
  const matter = await store.commons_tallies.get(id)
  if (type === 'reply') return { type, id, matter, ...(await placeOfReply(store, id)) }
  const [thread, standing] = await Promise.all([
    store.commons_threads.get(id),
    store.commons_standings.get(id),
  ])
  if (!thread || !standing) return refuse('thread_not_found', 'There is no such thread.')
  return { type, id, matter, thread, standing }
}

async function identitySubject(store: Store, target: string): Promise<Subject> {
  const id = target.replace(/^@/, '')
  const identity = await store.commons_identities.get(id)
  if (identity) return { type: 'identity', id, identity }
  return noMember()
}

/** The author of a thread or reply, who is notified; a member learns it from every refusal. */
export function authorOf(content: Content): string {
  return content.type === 'thread' ? content.standing.author : content.reply.author.handle
}

/** The state of a thread or reply by itself; the thread of a reply may be held, too. */
export function stateOf(content: Content): Standing['state'] | 'standing' {
  return content.type === 'thread' ? content.standing.state : content.reply.state
}
