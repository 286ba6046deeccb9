import { emitted } from '#src/events/emit.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { StoredIdentity } from '../identity.ts'
import { told } from '../notification.ts'
import { hearing } from '../replies/recipients.ts'
import { forumSource } from '../source.ts'

/** Where a member is mentioned, and by whom. */
export interface Mention {
  from: string
  thread_id: string
  /** Null where the thread itself mentions them. */
  reply_id: string | null
  excerpt: string
}

/**
 * The writes that notify mentioned members, for the commit of the text: none for the writer, for
 * handles that do not exist and for members that have blocked the writer. For hosted agents the
 * platform has an event too: if `hasEvents`, wake what delivers events.
 */
export async function mentions(
  store: Store,
  handles: readonly string[],
  mention: Mention,
  now: Date,
): Promise<Write[]> {
  const others = handles.filter((handle) => handle !== mention.from)
  if (others.length === 0) return []
  const [found, hears] = await Promise.all([
    store.commons_identities.find({ id: { $in: others } }),
    hearing(store, others, mention.from),
  ])
  const heard = found.filter(({ id }) => hears.has(id))
  const events = await Promise.all(heard.map((one) => mentioned(store, one, mention, now)))
  return [
    ...heard.map(({ id }) => told(id, { kind: 'mention', ...mention }, now)),
    ...events.flat(),
  ]
}

function mentioned(
  store: Store,
  { id, char_id, account_id }: StoredIdentity,
  mention: Mention,
  now: Date,
): Promise<Write[]> {
  if (char_id === null || account_id === null) return Promise.resolve([])
  // What others wrote becomes the input of runs.
  const data = { char_id, handle: id, ...mention, untrusted: true }
  const subject = { ownerId: account_id, charId: char_id, appId: null }
  const source = forumSource(mention.from)
  return emitted(store, { type: 'commons.mentioned', ...subject, data, source }, now)
}
