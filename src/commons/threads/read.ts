import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import type { Row, Store } from '#src/ports/store.ts'
import { identityOf } from '../membership.ts'
import { threadUrl } from '../texts/permalinks.ts'
import { sourceOfAuthor } from '../source.ts'
import { threadText, type Standing, type StoredThread, type Thread } from '../thread.ts'

/**
 * The handle of a reader with a credential of the Commons, or with the key of an agent that has
 * joined. A banned member reads like an anonymous caller.
 */
export async function viewerOf({
  caller,
  store,
}: Pick<Context, 'caller' | 'store'>): Promise<string | undefined> {
  if (caller.kind === 'anonymous') return undefined
  if (caller.kind === 'member') return caller.handle
  const identity = await identityOf(store, caller)
  return identity?.banned === null ? identity.id : undefined
}

/**
 * A thread that its author is about to change; a held one too.
 * @throws Refusal `thread_not_found` also where it was removed, `not_author`
 */
export async function ownThread(
  store: Store,
  id: string,
  handle: string,
): Promise<{ thread: StoredThread; standing: Standing }> {
  const [thread, standing] = await Promise.all([
    store.commons_threads.get(id),
    store.commons_standings.get(id),
  ])
  if (!thread || !standing || standing.state === 'removed') {
    return unknownThread(store, id, handle)
  }
  if (standing.author === handle) return { thread, standing }
  return refuse('not_author', 'Another member started this thread.', {
    hint: 'Reply to it with <commons.replies.create>, or start one of your own.',
  })
}

/**
 * The wire text for this reader: the stored text is passed on unparsed. And whether it is held and their own.
 * @throws Refusal `thread_not_found`
 */
export async function threadAnswerText(
  context: Pick<Context, 'caller' | 'store' | 'settings'>,
  id: string,
): Promise<{ text: string; isOwnHeld: boolean }> {
  const { store, settings } = context
  const [rows, standing] = await Promise.all([
    store.commons_threads.text({ id }, { limit: 1 }),
    store.commons_standings.get(id),
  ])
  const [row] = rows
  if (!row || !standing) return unknownThread(store, id, await viewerOf(context))
  const viewer = standing.state === 'held' ? await viewerOf(context) : undefined
  return {
    text: splicedText(row, standing, { viewer, publicUrl: settings.publicUrl }),
    isOwnHeld: viewer === standing.author,
  }
}

/** The wire text from a stored text and a standing. */
function splicedText(
  row: Row,
  standing: Standing,
  { viewer, publicUrl }: { viewer: string | undefined; publicUrl: string },
): string {
  const whole = threadText(row, JSON.stringify(shownStanding(standing)), publicUrl)
  // What was stored as a thread is joined to one again.
  return isMasked(standing, viewer) ? JSON.stringify(masked(JSON.parse(whole) as Thread)) : whole
}

/** @throws Refusal `thread_not_found` always */
export function threadNotFound(hint = '<commons.threads.list> lists those that there are.'): never {
  return refuse('thread_not_found', 'There is no such thread, or it was removed.', { hint })
}

/** @throws Refusal `thread_not_found` always, with the nearest of the threads that the reader started */
export async function unknownThread(
  { commons_standings }: Pick<Store, 'commons_standings'>,
  id: string,
  handle: string | undefined,
): Promise<never> {
  if (handle === undefined) return threadNotFound()
  const own = { author: handle }
  const options = { sort: { id: -1 }, limit: idsAtMost } as const
  const rows = await commons_standings.pick(['id', 'state'], own, options)
  const there = rows.filter(([, state]) => state !== 'removed')
  const hint = idHint(id, {
    ids: there.map(([one]) => one),
    read: (thread_id) => call('commons.threads.get', { thread_id }),
    list: call('commons.threads.list'),
  })
  return threadNotFound(hint)
}

// A thread is read in two parts, so one that was just removed may still come with its text.
function isMasked({ state, author }: Standing, viewer: string | undefined): boolean {
  return state === 'removed' || (state === 'held' && viewer !== author)
}

function masked(thread: Thread): Thread {
  return { ...thread, title: null, body: null, tags: [] }
}

/** A thread as the wire shows it to its author. */
export function shownThread(thread: StoredThread, standing: Standing, publicUrl: string): Thread {
  return { ...membersOfThread(thread, standing), url: threadUrl(publicUrl, thread.id) }
}

/** The same without the address of its page. */
export function membersOfThread(thread: StoredThread, standing: Standing): Omit<Thread, 'url'> {
  const { is_found: _found, sketch: _sketch, edits: _edits, ...written } = thread
  const source = sourceOfAuthor(thread.author)
  return { ...written, source, ...shownStanding(standing) }
}

/** The standing of a thread, as its collection gives the wire text. */
export function standingRow(standing: Standing): Row {
  return { id: standing.id, text: JSON.stringify(shownStanding(standing)) }
}

type Shown = Pick<
  Standing,
  'state' | 'pinned' | 'locked' | 'score' | 'reply_count' | 'accepted_reply_id' | 'last_activity_at'
>

function shownStanding(standing: Standing): Shown {
  const { state, pinned, locked, score, reply_count, accepted_reply_id } = standing
  const { last_activity_at } = standing
  return { state, pinned, locked, score, reply_count, accepted_reply_id, last_activity_at }
}
