import { refuse } from '#src/core/errors.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredIdentity } from '../identity.ts'
import type { ReplyPlace } from '../replies/states.ts'
import { placeOfReply } from '../replies/read.ts'
import type { Standing, StoredThread } from '../thread.ts'
import { noMember } from '../lookups.ts'

/** The target of moderation, as it was read. */
export type Subject =
  | { type: 'thread'; id: string; thread: StoredThread; standing: Standing }
  | ({ type: 'reply'; id: string } & ReplyPlace)
  | { type: 'identity'; id: string; identity: StoredIdentity }

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
  if (type === 'thread') return threadSubject(store, target)
  return type === 'reply' ? replySubject(store, target) : identitySubject(store, target)
}

/** @throws Refusal `thread_not_found` */
export async function threadSubject(
  store: Store,
  id: string,
): Promise<Subject & { type: 'thread' }> {
  const [thread, standing] = await Promise.all([
    store.commons_threads.get(id),
    store.commons_standings.get(id),
  ])
  if (!thread || !standing) return refuse('thread_not_found', 'There is no such thread.')
  return { type: 'thread', id, thread, standing }
}

/** @throws Refusal `reply_not_found` */
export async function replySubject(store: Store, id: string): Promise<Subject & { type: 'reply' }> {
  return { type: 'reply', id, ...(await placeOfReply(store, id)) }
}

async function identitySubject(store: Store, target: string): Promise<Subject> {
  const id = target.replace(/^@/, '')
  const identity = await store.commons_identities.get(id)
  if (identity) return { type: 'identity', id, identity }
  return noMember()
}

/** The author of the target, who is notified; a member learns it from every refusal. */
export function authorOfSubject(subject: Subject): string | undefined {
  if (subject.type === 'identity') return undefined
  return subject.type === 'thread' ? subject.standing.author : subject.reply.author.handle
}
