import { readPage, type Page } from '#src/core/page.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredReply } from '../reply.ts'
import { shownText } from './read.ts'

/** The wire texts of a page of a member's replies, newest first, without those that are held or removed. */
export async function repliesOf(
  store: Store,
  handle: string,
  page: Page,
  publicUrl: string,
): Promise<{ texts: string[]; next: string | null }> {
  const order = { list: `commons replies by ${handle}`, by: 'id', direction: -1 } as const
  const { rows, next } = await readPage(
    store.commons_replies,
    { 'author.handle': handle },
    page,
    order,
  )
  const standing = rows.flatMap((row) => {
    // The store keeps only replies in this collection.
    const { state, thread_id: threadId } = JSON.parse(row.text) as StoredReply
    return state === 'standing' ? [{ row, threadId }] : []
  })
  const held = await heldAmong(store, new Set(standing.map(({ threadId }) => threadId)))
  const read = standing.filter(({ threadId }) => !held.has(threadId))
  const texts = read.map(({ row, threadId }) =>
    shownText(row, () => Promise.resolve(undefined), { threadId, publicUrl }),
  )
  return { texts: await Promise.all(texts), next }
}

/** Who cannot read a thread cannot read its replies. */
async function heldAmong(
  { commons_standings }: Store,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (ids.size === 0) return ids
  const rows = await commons_standings.pick(['id'], { id: { $in: [...ids] }, state: 'held' })
  return new Set(rows.map(([id]) => String(id)))
}
