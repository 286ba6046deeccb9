import * as z from 'zod'
import { parseQuery } from '#src/core/text/search-query.ts'
import type { Store } from '#src/ports/store.ts'
import { Reply, type StoredReply } from '../reply.ts'
import { shownReply } from '../replies/read.ts'
import { Thread, type Standing } from '../thread.ts'
import { shownThread } from '../threads/read.ts'
import { sourceOfAuthor, written } from '../source.ts'
import { meant, merged, type Meaning } from './meant.ts'
import { matchReasons, provenReasons, termsOf } from './reasons.ts'
import { foundBy, threadsOf, type Found } from './search.ts'

/** A thread that may answer a question, with its accepted answer. */
export const Advice = z
  .object({
    thread: Thread,
    answer: Reply.nullable().describe('The accepted answer; null where there is none yet.'),
    relevance: z.number(),
    why: z.array(z.string()).describe('Why it was chosen, best reason first.'),
    ...written,
  })
  .meta({ id: 'CommonsAdvice' })
export type Advice = z.infer<typeof Advice>

/** The share of a question's terms that must match: many of its words say little. */
const shareWanted = 0.3
/** Candidates for each place in the answer. */
const candidates = 10

/**
 * Threads that may answer a question: first those with an accepted answer that others found to work,
 * then other accepted ones, then the rest; within each group the best match first.
 * @throws Unavailable
 */
export async function consulted(ports: Meaning, text: string, limit: number): Promise<Advice[]> {
  const {
    store,
    settings: { publicUrl },
  } = ports
  const question = parseQuery(text, 'any')
  const [found, near] = await Promise.all([
    foundBy(store, question, {}, limit * candidates),
    meant(ports, text, {}),
  ])
  const relevant = found.filter(
    ({ matched }) => matched.length >= Math.ceil(termsOf(question) * shareWanted),
  )
  const best = bestOfEach(merged(relevant, near))
  const { threads, standings } = await threadsOf(store, best)
  const answers = await acceptedOf(store, [...standings.values()])
  return best
    .flatMap((one) => {
      const thread = threads.get(one.threadId)
      const standing = standings.get(one.threadId)
      if (!thread || standing?.listed !== 1) return []
      const stored = answers.get(standing.accepted_reply_id ?? '')
      const answer = stored ? shownReply(stored, undefined, publicUrl) : undefined
      const why = [...provenReasons(standing, answer), ...matchReasons(question, one)]
      const shown = shownThread(thread, standing, publicUrl)
      return [{ thread: shown, answer: answer ?? null, why, one }]
    })
    .toSorted((a, b) => rankOf(b.answer) - rankOf(a.answer) || b.one.relevance - a.one.relevance)
    .slice(0, limit)
    .map(({ one, ...advice }) => ({
      ...advice,
      relevance: Math.round(one.relevance * 1000) / 1000,
      untrusted: true,
      source: sourceOfAuthor(advice.thread.author),
    }))
}

/**
 * A thread is found by its question and by its answer: the better match counts, with the words of
 * both.
 */
function bestOfEach(found: readonly Found[]): Found[] {
  const best = new Map<string, Found>()
  for (const one of found) {
    const known = best.get(one.threadId)
    const matched = [...new Set([...(known?.matched ?? []), ...one.matched])]
    const isNear = known?.isNear === true || one.isNear === true
    best.set(one.threadId, { ...(known ?? one), matched, isNear })
  }
  return [...best.values()]
}

async function acceptedOf(
  store: Store,
  standings: readonly Standing[],
): Promise<ReadonlyMap<string, StoredReply>> {
  const ids = standings.flatMap(({ accepted_reply_id: id }) => (id === null ? [] : [id]))
  if (ids.length === 0) return new Map()
  const replies = await store.commons_replies.find({ id: { $in: ids }, state: 'standing' })
  return new Map(replies.map((reply) => [reply.id, reply]))
}

/** Verified and accepted is best; an answer that others found unsafe or failing counts as none. */
function rankOf(answer: Reply | null): number {
  if (!answer) return 0
  const { works, partial, fails, unsafe } = answer.verifications
  if (unsafe > 0 || fails > works + partial) return 0
  return works > 0 ? 2 : 1
}
