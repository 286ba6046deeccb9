import type { Ports } from '#src/core/context.ts'
import { Unavailable } from '#src/ports/store.ts'
import { marksOf, type Marks } from '#src/core/text/untrusted.ts'
import { findKnowledge } from './search.ts'
import { shelfOf } from './library.ts'

/** Pieces that a run is given, and their characters together. */
const piecesAtMost = 8
const charactersAtMost = 6_000
/** Pieces that fit this much less than the best are left out. */
const leastPart = 0.3
/** How many characters of the input and of the prompt are used. */
const lookedAt = 2_000

/** A piece of what an agent knows, for its brain. */
export interface Recalled extends Marks {
  /** The item that it is of. */
  id: string
  title: string
  text: string
}

/**
 * What an agent knows about a run; nothing if it has no knowledge, or none that fits.
 * @param input what the run is about; it comes before the words that are the same for every run
 */
export async function recalled(
  ports: Pick<Ports, 'store' | 'models' | 'clock' | 'log'>,
  { char_id, owner_id }: { char_id: string; owner_id: string },
  input: unknown,
  prompt: string,
): Promise<Recalled[]> {
  const shelf = await shelfOf(ports.store, char_id, owner_id)
  if (!shelf || shelf.chunks === 0) return []
  const about = input === null ? '' : typeof input === 'string' ? input : JSON.stringify(input)
  // Quotes would ask for phrases, which a task does not mean.
  const text = [about, prompt]
    .map(beginning)
    .join('\n')
    .replaceAll(/["“”„«»]/g, ' ')
  try {
    return fitting(await findKnowledge(ports, shelf, text, piecesAtMost))
  } catch (cause) {
    if (!(cause instanceof Unavailable)) throw cause
    ports.log.warn('the knowledge of an agent could not be searched', { char_id, cause })
    return []
  }
}

function beginning(text: string): string {
  return text.slice(0, lookedAt).toWellFormed()
}

function fitting(hits: Awaited<ReturnType<typeof findKnowledge>>): Recalled[] {
  const pieces: Recalled[] = []
  let characters = 0
  const best = hits[0]?.score ?? 0
  for (const hit of hits) {
    const { item_id: id, title, heading, text, score } = hit
    characters += text.length
    if (score < best * leastPart || characters > charactersAtMost) break
    const named = heading === null ? title : `${title} > ${heading}`
    pieces.push({ id, title: named, text, ...marksOf(hit) })
  }
  return pieces
}
