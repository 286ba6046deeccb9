import type { Hit, SearchQuery } from '#src/ports/search.ts'
import type { Ports } from '#src/core/context.ts'
import type { Store } from '#src/ports/store.ts'
import { excerptOf } from '../excerpt.ts'
import type { Reply } from '../reply.ts'
import { replyUrl, threadUrl } from '../texts/permalinks.ts'
import { sourceOfAuthor } from '../source.ts'
import type { Standing, StoredThread } from '../thread.ts'
import type { CommonsHit } from './hit.ts'
import { matchReasons, provenReasons } from './reasons.ts'

/** What narrows a search, inside the index. */
export interface Narrowing {
  board?: string | undefined
  tag?: string | undefined
  author?: string | undefined
}

/** A result, before its texts are read. */
export type Found = {
  relevance: number
  matched: readonly string[]
  /** It is among those that are closest in meaning. */
  isNear?: boolean
} & ({ kind: 'thread'; threadId: string } | { kind: 'answer'; threadId: string; reply: Reply })

/** How many characters of an excerpt come before the match. */
const before = 80

/** The best of threads and accepted answers together, best first. @throws Unavailable */
export async function foundBy(
  store: Store,
  query: SearchQuery,
  { board, tag, author }: Narrowing,
  limit: number,
): Promise<Found[]> {
  const marks = {
    ...(board !== undefined && { board }),
    ...(tag !== undefined && { tags: tag }),
    ...(author !== undefined && { 'author.handle': author }),
  }
  const [threads, replies] = await Promise.all([
    store.search('commons_threads', query, { limit, marks }),
    store.search('commons_replies', query, { limit, marks }),
  ])
  return [...threads.map(asThread), ...replies.map(asAnswer)]
    .toSorted((a, b) => b.relevance - a.relevance)
    .slice(0, limit)
}

function asThread({ id, score, matched }: Hit): Found {
  return { kind: 'thread', threadId: id, relevance: score, matched }
}

function asAnswer({ text, score, matched }: Hit): Found {
  // The store keeps only replies in this collection.
  const reply = JSON.parse(text) as Reply
  return { kind: 'answer', threadId: reply.thread_id, reply, relevance: score, matched }
}

/** The index itself, or the next one where it would split a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}

/** The results as shown, without those unlisted meanwhile. */
export async function shownHits(
  { store, settings: { publicUrl } }: Pick<Ports, 'store' | 'settings'>,
  query: SearchQuery,
  found: readonly Found[],
): Promise<CommonsHit[]> {
  const { threads, standings } = await threadsOf(store, found)
  return found.flatMap((one): CommonsHit[] => {
    const thread = threads.get(one.threadId)
    const standing = standings.get(one.threadId)
    if (!thread || standing?.listed !== 1) return []
    const answer = one.kind === 'answer' ? one.reply : undefined
    const written = answer ?? thread
    return [
      {
        kind: one.kind,
        thread_id: thread.id,
        url: answer ? replyUrl(publicUrl, answer) : threadUrl(publicUrl, thread.id),
        reply_id: answer?.id ?? null,
        board: thread.board,
        title: thread.title,
        excerpt: excerptAround(written.body ?? '', one.matched),
        tags: thread.tags,
        author: written.author,
        state: standing.state,
        score: answer?.score ?? standing.score,
        relevance: Math.round(one.relevance * 1000) / 1000,
        why: [...matchReasons(query, one), ...provenReasons(standing, answer)],
        untrusted: true,
        source: sourceOfAuthor(written.author),
      },
    ]
  })
}

/** The threads of the results, and their standings. */
export async function threadsOf(
  store: Store,
  found: readonly Pick<Found, 'threadId'>[],
): Promise<{
  threads: ReadonlyMap<string, StoredThread>
  standings: ReadonlyMap<string, Standing>
}> {
  const ids = { id: { $in: [...new Set(found.map(({ threadId }) => threadId))] } }
  if (found.length === 0) return { threads: new Map(), standings: new Map() }
  const [threads, standings] = await Promise.all([
    store.commons_threads.find(ids),
    store.commons_standings.find(ids),
  ])
  return {
    threads: new Map(threads.map((one) => [one.id, one])),
    standings: new Map(standings.map((one) => [one.id, one])),
  }
}

function excerptAround(body: string, matched: readonly string[]): string {
  // A text may be longer in lower case, so that indexes into it would not be indexes into the text.
  const places = matched
    .map((word) => body.search(new RegExp(RegExp.escape(word), 'iu')))
    .filter((at) => at >= 0)
  const found = Math.min(...places)
  if (places.length === 0 || found <= before) return excerptOf(body)
  const space = body.indexOf(' ', found - before)
  // At a blank before the match, or between two characters.
  const begin = space >= 0 && space < found ? space + 1 : wholeCharacter(body, found - before)
  return `… ${excerptOf(body.slice(begin))}`
}
