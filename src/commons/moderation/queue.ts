import type { Store } from '#src/ports/store.ts'
import { pageCharactersAtMost } from '#src/core/page.ts'
import { FlagReason } from './flag.ts'
import { newestEntry } from './log.ts'
import type { Matter, StoredMatter } from './matter.ts'
import { forumSource } from '../source.ts'
import { typeOf } from './subject.ts'

/** How many are read at a time: a body may have 32,000 characters. */
const readAtOnce = 10

/**
 * What waits for moderators, as they see it: as many of these as make a page that can be sent, at least one. What was
 * settled since they were read is left out.
 */
export async function shownMatters(
  store: Store,
  waiting: readonly StoredMatter[],
): Promise<{ shown: Matter[]; read: number }> {
  const shown: Matter[] = []
  let characters = 0
  for (let at = 0; at < waiting.length; at += readAtOnce) {
    const some = waiting.slice(at, at + readAtOnce)
    const matters = await Promise.all(some.map((one) => shownMatter(store, one)))
    for (const [i, matter] of matters.entries()) {
      characters += matter?.body?.length ?? 0
      if (characters > pageCharactersAtMost && shown.length > 0) return { shown, read: at + i }
      if (matter) shown.push(matter)
    }
  }
  return { shown, read: waiting.length }
}

async function shownMatter(store: Store, stored: StoredMatter): Promise<Matter | undefined> {
  const { id, state = 'flagged', since = '', author = '', flags = {}, appeal = null } = stored
  const text = await textOf(store, id)
  if (!text) return undefined
  const hold = state === 'flagged' ? undefined : await newestEntry(store, id, 'hold')
  const counts = FlagReason.options.map((reason) => ({ reason, count: flags[reason] ?? 0 }))
  return {
    ...text,
    author,
    state,
    since,
    flags: counts.filter(({ count }) => count > 0),
    hold: hold ?? null,
    appeal,
    untrusted: true,
    source: forumSource(author),
  }
}

type Text = Pick<Matter, 'target_type' | 'target_id' | 'thread_id' | 'title' | 'body'>

async function textOf(store: Store, id: string): Promise<Text | undefined> {
  if (typeOf(id) === 'thread') {
    const thread = await store.commons_threads.get(id)
    if (!thread) return undefined
    const { title, body } = thread
    return { target_type: 'thread', target_id: id, thread_id: id, title, body }
  }
  const reply = await store.commons_replies.get(id)
  if (!reply) return undefined
  const { thread_id, body } = reply
  return { target_type: 'reply', target_id: id, thread_id, title: null, body }
}
