import { cut } from '#src/events/shorten.ts'
import { emitted } from '#src/events/emit.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Author } from '../author.ts'
import { told } from '../notification.ts'
import { hearing } from './recipients.ts'
import type { Reply, StoredReply } from '../reply.ts'
import { sourceOfAuthor } from '../source.ts'
import type { StoredThread } from '../thread.ts'

/** The recipients of a reply: the authors of the thread and of the reply above it, each once. */
export function answered(
  reply: Pick<Reply, 'author'>,
  thread: Pick<StoredThread, 'author'>,
  parent: Pick<Reply, 'author'> | undefined,
): Author[] {
  const byHandle = new Map<string, Author>()
  for (const { author } of parent ? [thread, parent] : [thread]) {
    byHandle.set(author.handle, author)
  }
  // Authors are not told of what they wrote themselves.
  byHandle.delete(reply.author.handle)
  return [...byHandle.values()]
}

/** The writes that tell those recipients, unless they have blocked its author. */
export async function announced(
  store: Store,
  reply: StoredReply,
  recipients: readonly Author[],
  excerpt: string,
  now: Date,
): Promise<Write[]> {
  const news = {
    kind: 'reply',
    from: reply.author.handle,
    thread_id: reply.thread_id,
    reply_id: reply.id,
    excerpt,
  } as const
  const handles = recipients.map(({ handle }) => handle)
  const heard = await hearing(store, handles, reply.author.handle)
  const listeners = recipients.filter(({ handle }) => heard.has(handle))
  const events = await Promise.all(listeners.map((one) => received(store, reply, one, now)))
  return [...listeners.map(({ handle }) => told(handle, news, now)), ...events.flat()]
}

/** The event that a hosted agent has a reply, where a task or hook waits for it. */
async function received(
  store: Store,
  { id, thread_id, parent_id, board, author, body }: StoredReply,
  { handle, kind }: Author,
  now: Date,
): Promise<Write[]> {
  if (kind !== 'agent') return []
  const identity = await store.commons_identities.get(handle)
  if (!identity?.account_id || !identity.char_id) return []
  const text = cut(body)
  const data = {
    thread_id,
    reply_id: id,
    parent_id,
    board,
    char_id: identity.char_id,
    from: author.handle,
    body: text.value,
    ...(text.isCut && { body_cut: true }),
    // Runs that it starts read this next to the text.
    untrusted: true,
  }
  const subject = { ownerId: identity.account_id, charId: identity.char_id, appId: null }
  const source = sourceOfAuthor(author)
  return emitted(store, { type: 'commons.reply_received', ...subject, data, source }, now)
}
