import { pageAnswer, readPage, type Page } from '#src/core/page.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Store } from '#src/ports/store.ts'
import { marksOf, withMarks } from '#src/core/text/untrusted.ts'
import { derivedEvents, type RunEventRecord } from './events.ts'
import type { RunMoments } from './moments.ts'

type Needed = Pick<Store, 'run_events'>

/** How many events are read at once. */
export const eventsAtOnce = 1000

/** What happened to a run after this `seq`, in order; there may be more after that many events. */
export async function eventsAfter(
  store: Needed,
  run: RunMoments,
  after: number,
): Promise<RunEventRecord[]> {
  const stored = await store.run_events.find(
    { run_id: run.id, seq: { $gt: after } },
    { sort: { seq: 1 }, limit: eventsAtOnce },
  )
  const shown = stored.map(({ seq, type, at, data }) => ({ seq, type, at, data }))
  const isAll = stored.length < eventsAtOnce
  const last = isAll ? Infinity : (stored.at(-1)?.seq ?? after)
  const derived = derivedEvents(run).filter(({ seq }) => seq > after && seq <= last)
  const all = [...derived, ...shown].sort((a, b) => a.seq - b.seq)
  return all.map((event) => ({ ...event, ...marksOf(run) }))
}

/**
 * One page of a run's events. Derived events come before and after the stored ones: the beginning of the
 * run on the first page and its end on the last, or the other way round.
 */
export async function eventPage(
  store: Needed,
  run: RunMoments,
  page: Page,
  newestFirst = false,
): Promise<Answer<{ items: RunEventRecord[]; next_cursor: string | null }>> {
  const list = `events ${run.id}${newestFirst ? ' newest' : ''}`
  const order = { list, by: 'seq', direction: newestFirst ? -1 : 1 } as const
  const { rows, next } = await readPage(store.run_events, { run_id: run.id }, page, order)
  const derived = derivedEvents(run).map((event) => ({ ...event, text: JSON.stringify(event) }))
  const beginning = derived.filter((event) => event.seq <= 1)
  const end = derived.filter((event) => event.seq > 1)
  const [before, behind] = newestFirst ? [end, beginning.toReversed()] : [beginning, end]
  const { source } = marksOf(run)
  const all = [...(page.cursor ? [] : before), ...rows, ...(next ? [] : behind)]
  return pageAnswer(
    all.map(({ text }) => withMarks(text, source)),
    next,
  )
}
