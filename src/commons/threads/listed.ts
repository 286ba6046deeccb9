import { after, openCursor, sealCursor, type Page } from '#src/core/page.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Row, Store } from '#src/ports/store.ts'
import { threadText, type Standing } from '../thread.ts'
import { looksAt, newest } from './newest.ts'
import { orderOf, type ThreadQuery } from './query.ts'
import { standingRow } from './read.ts'
import { worded } from './worded.ts'

/** What a list is read with: a long one in portions, each in a turn of its own. */
interface Reads {
  store: Store
  clock: Pick<Clock, 'turn'>
}

interface ListedPage {
  /** The standing of each thread, as the wire spells it. */
  standings: Row[]
  next: string | null
}

/**
 * The wire texts of a page of threads. Without further filters a board, or all of them, is read in the
 * order of its stored ranks. By tag, author and state the newest come from their index; for other
 * sorts the newest thousand are ranked here, as are those found by words.
 * @param reader.viewer the member whose held threads are shown, if the list is of their own
 * @throws Refusal `cursor_invalid`
 */
export async function listedThreads(
  ports: Reads,
  query: ThreadQuery,
  page: Page,
  { viewer, publicUrl }: { viewer: string | undefined; publicUrl: string },
): Promise<{ rows: Row[]; next: string | null }> {
  // Before anything is read, so that a wrong cursor costs nothing.
  if (page.cursor !== undefined) openCursor(orderOf(query), page.cursor)
  const { standings, next } = await standingsOf(ports, query, page, viewer)
  return { rows: await textsOf(ports.store, standings, publicUrl), next }
}

async function standingsOf(
  ports: Reads,
  query: ThreadQuery,
  page: Page,
  viewer: string | undefined,
): Promise<ListedPage> {
  const { store } = ports
  const { sort, tag, author, state, q } = query
  const isOthers = author === undefined || author !== viewer
  if (state === 'held' && isOthers) return { standings: [], next: null }
  if (q !== undefined) return rankedPage(query, page, await worded(store, q, query))
  if (tag === undefined && author === undefined && state === undefined) {
    return byStoredRank(store, query, page)
  }
  if (sort === 'new') return newestPage(ports, query, page, viewer)
  const { found } = await newest(ports, query, viewer, { wanted: looksAt, before: undefined })
  return rankedPage(query, page, found)
}

async function byStoredRank(store: Store, query: ThreadQuery, page: Page): Promise<ListedPage> {
  const { board, sort } = query
  const order = orderOf(query)
  const filter: Filter<Standing> = board === undefined ? { listed: 1 } : { board }
  // A thread with replies has no such rank.
  const ranked = sort === 'unanswered' ? { ...filter, unanswered: { $gte: '' } } : filter
  const { limit, cursor } = page
  const rest = cursor === undefined ? ranked : after(ranked, order, openCursor(order, cursor))
  const options = { sort: { [order.by]: order.direction }, limit: limit + 1 }
  const standings = await store.commons_standings.text(rest, options)
  if (standings.length <= limit) return { standings, next: null }
  standings.length = limit
  const id = standings.at(-1)?.id ?? ''
  const rank = order.by === 'id' ? id : await rankOf(store, order.by, id)
  // It has left the list since it was read.
  if (rank === undefined || rank === null) return byStoredRank(store, query, page)
  return { standings, next: sealCursor(order, [rank, id]) }
}

/** Most ranks are hidden, so a row does not show them. */
async function rankOf(store: Store, by: ReturnType<typeof orderOf>['by'], id: string) {
  const [found] = await store.commons_standings.pick([by], { id }, { limit: 1 })
  return found?.[0]
}

async function newestPage(
  ports: Reads,
  query: ThreadQuery,
  { limit, cursor }: Page,
  viewer: string | undefined,
): Promise<ListedPage> {
  const order = orderOf(query)
  const before = cursor === undefined ? undefined : openCursor(order, cursor)[1]
  const { found, at } = await newest(ports, query, viewer, { wanted: limit + 1, before })
  const standings = found.slice(0, limit).map(standingRow)
  // If many were examined without a match, the next page continues after them.
  const last = found.length > limit ? standings.at(-1)?.id : at
  return { standings, next: last ? sealCursor(order, [last, last]) : null }
}

function rankedPage(
  query: ThreadQuery,
  { limit, cursor }: Page,
  found: readonly Standing[],
): ListedPage {
  const order = orderOf(query)
  const [rank, id] = cursor === undefined ? [] : openCursor(order, cursor)
  const keyed = found
    .map((standing) => ({ standing, rank: standing[order.by], id: standing.id }))
    .flatMap(({ rank: own, ...rest }) => (own === null ? [] : [{ ...rest, rank: own }]))
    .filter((one) => rank === undefined || id === undefined || isBelow(one, { rank, id }))
    .sort((a, b) => (isBelow(a, b) ? 1 : -1))
  const shown = keyed.slice(0, limit)
  const last = keyed.length > limit ? shown.at(-1) : undefined
  return {
    standings: shown.map(({ standing }) => standingRow(standing)),
    next: last ? sealCursor(order, [last.rank, last.id]) : null,
  }
}

interface Ranked {
  rank: string | number
  id: string
}

function isBelow(one: Ranked, other: Ranked): boolean {
  return one.rank === other.rank ? one.id < other.id : one.rank < other.rank
}

/** One read for all texts; one removed in between has no text any more. */
async function textsOf(store: Store, standings: readonly Row[], publicUrl: string): Promise<Row[]> {
  if (standings.length === 0) return []
  const ids = standings.map(({ id }) => id)
  const rows = await store.commons_threads.text({ id: { $in: ids } })
  const written = new Map(rows.map((row) => [row.id, row]))
  return standings.flatMap(({ id, text }) => {
    const thread = written.get(id)
    return thread === undefined ? [] : [{ id, text: threadText(thread, text, publicUrl) }]
  })
}
