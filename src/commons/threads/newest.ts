import type { Filter } from '#src/ports/filter.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Standing } from '../thread.ts'
import type { ThreadQuery } from './query.ts'

/** The most index entries that are read for one page, however few match. */
export const looksAt = 1000
/** How many are read at once at most, with what is known of each; others are answered in between. */
const batchSize = 100

/** Threads that match, newest first. */
export interface Newest {
  found: Standing[]
  /** The last one examined, if there may be more; null at the end. */
  at: string | null
}

/**
 * The newest matching threads before that id: as many as wanted or some more, fewer if a thousand were
 * examined. Held ones only for their author.
 */
export async function newest(
  { store, clock }: { store: Store; clock: Pick<Clock, 'turn'> },
  query: ThreadQuery,
  viewer: string | undefined,
  { wanted, before }: { wanted: number; before: string | undefined },
): Promise<Newest> {
  const found: Standing[] = []
  let at = before
  for (let looked = 0; looked < looksAt && found.length < wanted;) {
    if (looked > 0) await turnOf(clock)
    const atOnce = looked === 0 ? Math.min(wanted, batchSize) : batchSize
    const size = Math.min(looksAt - looked, atOnce)
    const { ids, standings } = await candidates(store, query, at, size)
    found.push(...(await matching(store, query, viewer, standings)))
    if (ids.length < size) return { found, at: null }
    at = ids.at(-1)
    looked += ids.length
  }
  return { found, at: at ?? null }
}

/** Up to this many entries of one index, newest first: of the filter that leaves fewest. */
async function candidates(
  store: Store,
  { author, tag, state }: ThreadQuery,
  before: string | undefined,
  limit: number,
): Promise<{ ids: string[]; standings: Standing[] }> {
  const older = before === undefined ? {} : ({ $lt: before } as const)
  if (author === undefined && tag !== undefined) {
    const narrowed = before === undefined ? { tag } : { tag, thread_id: older }
    const rows = await store.commons_tags.find(narrowed, { sort: { thread_id: -1 }, limit })
    const ids = rows.map(({ thread_id }) => thread_id)
    const standings = await store.commons_standings.find({ id: { $in: ids } })
    return { ids, standings: standings.toSorted((a, b) => (a.id < b.id ? 1 : -1)) }
  }
  const by: Filter<Standing> = author === undefined ? { state: state ?? 'open' } : { author }
  const narrowed = before === undefined ? by : { ...by, id: older }
  const standings = await store.commons_standings.find(narrowed, { sort: { id: -1 }, limit })
  return { ids: standings.map(({ id }) => id), standings }
}

async function matching(
  store: Store,
  query: ThreadQuery,
  viewer: string | undefined,
  standings: readonly Standing[],
): Promise<Standing[]> {
  const { author, state, board, tag } = query
  const fit = standings.filter(
    (one) =>
      (author === undefined || one.author === author) &&
      (state === undefined || one.state === state) &&
      (one.listed === 1 ? board === undefined || one.board === board : isOwnHeld(one, viewer)),
  )
  if (fit.length === 0) return fit
  const held = fit.filter(({ listed }) => listed !== 1).map(({ id }) => id)
  const [unfit, bearing] = await Promise.all([
    heldElsewhere(store, query, held),
    tag === undefined ? undefined : bearingTag(store, tag, fit),
  ])
  return fit.filter(({ id, listed }) =>
    listed === 1 ? (bearing?.has(id) ?? true) : !unfit.has(id),
  )
}

function isOwnHeld({ state, author }: Standing, viewer: string | undefined): boolean {
  return state === 'held' && author === viewer
}

/** Held threads of this board or tag: no index of either holds them. */
async function heldElsewhere(
  store: Store,
  { board, tag }: ThreadQuery,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0 || (board === undefined && tag === undefined)) return new Set()
  const threads = await store.commons_threads.find({ id: { $in: ids } })
  const unfit = threads.filter(
    (one) =>
      (board !== undefined && one.board !== board) ||
      (tag !== undefined && !one.tags.includes(tag)),
  )
  return new Set(unfit.map(({ id }) => id))
}

async function bearingTag(
  store: Store,
  tag: string,
  standings: readonly Standing[],
): Promise<ReadonlySet<string>> {
  const keys = standings.map(({ id }) => `${tag} ${id}`)
  const rows = await store.commons_tags.find({ id: { $in: keys } })
  return new Set(rows.map(({ thread_id }) => thread_id))
}
