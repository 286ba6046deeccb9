import type { Row, Store } from '#src/ports/store.ts'
import { isListed } from '../places.ts'
import type { Notification, StoredNotification } from '../notification.ts'
import { forumSource } from '../source.ts'

/**
 * Notifications as shown to their member: without an excerpt if the text was held, removed or deleted
 * since. The replies of a removed thread stay readable, and so do their excerpts.
 */
export async function shownNotifications(store: Store, rows: readonly Row[]): Promise<string[]> {
  // The store keeps only notifications in this collection.
  const news = rows.map(({ text }): Notification => {
    const stored = JSON.parse(text) as Omit<StoredNotification, 'handle'>
    return { ...stored, source: forumSource(stored.from) }
  })
  const readable = await readableAmong(store, news)
  return news.map((one) => JSON.stringify(readable(one) ? one : { ...one, excerpt: null }))
}

async function readableAmong(
  { commons_replies, commons_standings }: Store,
  news: readonly Notification[],
): Promise<(one: Notification) => boolean> {
  const quoting = news.filter(({ excerpt }) => excerpt !== null)
  const replyIds = named(quoting.map(({ reply_id }) => reply_id))
  const threadIds = named(quoting.map(({ thread_id }) => thread_id))
  const [replies, threads] = await Promise.all([
    replyIds.length === 0 ? [] : commons_replies.find({ id: { $in: replyIds }, state: 'standing' }),
    threadIds.length === 0 ? [] : commons_standings.find({ id: { $in: threadIds } }),
  ])
  const standing = new Set(replies.map(({ id }) => id))
  const states = new Map(threads.map(({ id, state }) => [id, state]))
  return ({ thread_id, reply_id }) => {
    if (thread_id === null) return true
    const state = states.get(thread_id)
    if (state === undefined) return false
    return reply_id === null ? isListed(state) : state !== 'held' && standing.has(reply_id)
  }
}

function named(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))]
}
