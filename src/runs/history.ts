import { pageAnswer, readPage, type Page } from '#src/core/page.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Store } from '#src/ports/store.ts'
import { marksOf, withMarks } from '#src/core/text/untrusted.ts'
import { derivedEvents, type RunEventRecord } from './events.ts'
import type { RunMoments } from './moments.ts'

type Needed = Pick<Store, 'run_events'>

/** Everything that happened to a run after this `seq`, in order; at most a thousand events. */
export async function eventsAfter(
  store: Needed,
  run: RunMoments,
  after: number,
): Promise<RunEventRecord[]> {
  const stored = await store.run_events.find(
    { run_id: run.id, seq: { $gt: after } },
    { sort: { seq: 1 }, limit: 1000 },
  )
  const shown = stored.map(({ seq, type, at, data }) => ({ seq, type, at, data }))
  const derived = derivedEvents(run).filter((event) => event.seq > after)
  const all = [...derived, ...shown].sort((a, b) => a.seq - b.seq)
  return all.map((event) => ({ ...event, ...marksOf(run) }))
}

/**
 * One page of a run's events. Derived events come before and after the stored ones: the beginning of the
 * run on the first page, its end on the last.
 */
export async function eventPage(
  store: Needed,
  run: RunMoments,
  page: Page,
): Promise<Answer<{ items: RunEventRecord[]; next_cursor: string | null }>> {
  const order = { list: `events ${run.id}`, by: 'seq', direction: 1 } as const
  const { rows, next } = await readPage(store.run_events, { run_id: run.id }, page, order)
  const derived = derivedEvents(run).map((event) => ({ ...event, text: JSON.stringify(event) }))
  const first = page.cursor ? [] : derived.filter((event) => event.seq <= 1)
  const last = next ? [] : derived.filter((event) => event.seq > 1)
  const { source } = marksOf(run)
  const texts = [...first, ...rows, ...last].map(({ text }) => withMarks(text, source))
  return pageAnswer(texts, next)
}
