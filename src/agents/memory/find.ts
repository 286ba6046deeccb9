import { parseQuery } from '#src/core/text/search-query.ts'
import { rowsThatFit } from '#src/core/page.ts'
import type { Store } from '#src/ports/store.ts'
import { withMarks, type Source } from '#src/core/text/untrusted.ts'
import { MemoryEntry } from './entry.ts'
import * as z from 'zod'

export const MemoryHit = MemoryEntry.extend({
  score: z.number().describe('Higher is better; within one answer only.'),
}).meta({ id: 'MemoryHit' })
/** An entry that was found, as the wire shows it. */
export type MemoryHit = z.infer<typeof MemoryHit>

/** Whose memory is searched, and where in it. */
interface Among {
  charId: string
  /** The account of the agent: another may have left entries under its id. */
  ownerId: string
  namespace: string | undefined
  /** Where it comes from, to a reader of another account. */
  source?: Source | undefined
}

/**
 * The wire texts of the entries that fit a typed text best, best first: by the words of key and value, as
 * knowledge is found. So many as fit into one answer, at least one.
 * @throws Unavailable
 */
export async function findMemory(
  store: Pick<Store, 'search'>,
  { charId, ownerId, namespace, source }: Among,
  text: string,
  limit: number,
): Promise<string[]> {
  const marks = {
    char_id: charId,
    owner_id: ownerId,
    ...(namespace !== undefined && { namespace }),
  }
  const hits = await store.search('memory', parseQuery(text, 'any'), { limit, marks })
  return hits
    .slice(0, rowsThatFit(hits))
    .map(
      (hit) => `${withMarks(hit.text, source).slice(0, -1)},"score":${JSON.stringify(hit.score)}}`,
    )
}
