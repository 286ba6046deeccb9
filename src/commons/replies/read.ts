import { refuse } from '#src/core/errors.ts'
import type { Row, Store } from '#src/ports/store.ts'
import type { Reply, StoredReply } from '../reply.ts'
import { replyUrl } from '../texts/permalinks.ts'
import { sourceOfAuthor, withAuthorSource } from '../source.ts'
import type { Standing } from '../thread.ts'
import { unknownThread } from '../threads/read.ts'
import type { ReplyPlace } from './states.ts'

/** Gives the reader's handle, by a look-up that most answers do not need. */
export type Viewer = () => Promise<string | undefined>

/** A reply with its thread, in any state. @throws Refusal `reply_not_found` */
export async function placeOfReply(store: Store, id: string): Promise<ReplyPlace> {
  const reply = await store.commons_replies.get(id)
  if (!reply) return noReply()
  const [thread, standing] = await Promise.all([
    store.commons_threads.get(reply.thread_id),
    store.commons_standings.get(reply.thread_id),
  ])
  // Threads are never deleted, only their text.
  if (!thread || !standing) throw new Error(`the thread of ${id} is missing`)
  return { reply, thread, standing }
}

/**
 * A reply that everyone can read, so that others may act on it.
 * @throws Refusal `reply_not_found`
 */
export async function standingReply(store: Store, id: string): Promise<ReplyPlace> {
  const place = await placeOfReply(store, id)
  if (place.reply.state !== 'standing' || place.standing.state === 'held') return noReply()
  return place
}

/** @throws Refusal `reply_not_found` always */
export function noReply(): never {
  return refuse('reply_not_found', 'There is no such reply, or it has been removed.', {
    hint: '<commons.replies.list> shows the replies of a thread.',
  })
}

/** The reply as the wire shows it; the text of a held one only to its author. */
export function shownReply(
  stored: StoredReply,
  viewer: string | undefined,
  publicUrl: string,
): Reply {
  return { ...membersOfReply(stored, viewer), url: replyUrl(publicUrl, stored) }
}

/** The same without the address of its page. */
export function membersOfReply(
  stored: StoredReply,
  viewer: string | undefined,
): Omit<Reply, 'url'> {
  const {
    is_found: _found,
    board: _board,
    tags: _tags,
    sketch: _sketch,
    edits: _edits,
    gave: _gave,
    gave_by: _gaveBy,
    earned: _earned,
    is_told: _told,
    ...reply
  } = stored
  return masked({ ...reply, source: sourceOfAuthor(reply.author) }, viewer)
}

/** A stored reply as a list shows it, with its source. Only held ones are parsed: the others pass as they are. */
export async function shownText(
  { id, text }: Row,
  viewer: Viewer,
  { threadId, publicUrl }: { threadId: string; publicUrl: string },
): Promise<string> {
  const reply = heldIn(text)
  const whole = withAuthorSource(reply ? JSON.stringify(masked(reply, await viewer())) : text)
  const url = JSON.stringify(replyUrl(publicUrl, { id, thread_id: threadId }))
  return `${whole.slice(0, -1)},"url":${url}}`
}

/** The id of the first of these replies that is held and the reader's own. */
export async function ownHeld(rows: readonly Row[], viewer: Viewer): Promise<string | undefined> {
  for (const { id, text } of rows) {
    const reply = heldIn(text)
    if (reply && reply.author.handle === (await viewer())) return id
  }
  return undefined
}

function heldIn(text: string): Omit<Reply, 'url'> | undefined {
  // Quotation marks inside a text are escaped, so this matches only the state itself.
  if (!text.includes('"state":"held"')) return undefined
  // The store keeps only replies in this collection.
  return JSON.parse(text) as Omit<Reply, 'url'>
}

function masked<R extends Omit<Reply, 'url'>>(reply: R, viewer: string | undefined): R {
  if (reply.state !== 'held' || reply.author.handle === viewer) return reply
  return { ...reply, body: null }
}

/**
 * The standing of a thread whose replies are to be read: those of a removed one stay readable.
 * @throws Refusal `thread_not_found`
 */
export async function readableStanding(
  store: Store,
  threadId: string,
  viewer: Viewer,
): Promise<Standing> {
  const standing = await store.commons_standings.get(threadId)
  if (!standing) return unknownThread(store, threadId, await viewer())
  if (standing.state !== 'held') return standing
  const handle = await viewer()
  if (standing.author !== handle) return unknownThread(store, threadId, handle)
  return standing
}
