import type { Chunk } from '#src/ports/extractor.ts'
import { shortened } from '../visible.ts'
import { least, most, wished } from './cuts.ts'
import { unitsOf, type Unit } from './units.ts'

/** A text to be cut into chunks. */
export interface Passage {
  /** As returned by `visible`. */
  text: string
  markup: 'markdown' | 'plain'
  /** The place of the passage; or a function that names its lines, by their number from 1. */
  place: string | null | ((line: number) => string)
  /** Stands above the passage's own headings. */
  heading?: string | null
}

/** A chunk that begins with a heading may be smaller than one that begins in the middle of a text. */
const leastUnderHeading = 200
const headingAtMost = 200

/**
 * The chunks of a text, in order: 600 to 1,200 characters where possible, 2,000 at most, cut at
 * headings, else paragraphs, else list items, else sentences. Every non-blank character is in exactly
 * one chunk, except the header of a table, which each of the table's chunks repeats. Time and memory
 * are linear in the length of the text.
 */
export function* chunksOf(passage: Passage): Generator<Chunk> {
  const { text, markup } = passage
  const headings = new Headings(passage.heading ?? null)
  const places = new Places(passage)
  let waiting: Placed[] = []
  const made = (count: number): Chunk => {
    const taken = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return chunkOf(text, taken, places)
  }
  for (const unit of unitsOf(text, markup)) {
    if (unit.level > 0 && sizeOf(waiting) >= least) yield made(waiting.length)
    waiting.push({ ...unit, path: headings.at(text, unit) })
    while (sizeOf(waiting) > wished) {
      const count = cutOf(waiting)
      yield made(count)
    }
  }
  if (waiting.length > 0) yield made(waiting.length)
}

interface Placed extends Unit {
  path: readonly string[]
}

/** Including the header that the chunk would repeat. */
function sizeOf(units: readonly Placed[], count = units.length): number {
  const [first, last] = [units[0], units[count - 1]]
  if (!first || !last) return 0
  return last.end - first.start + (first.header === null ? 0 : first.header.length + 1)
}

/** How many of these units, which are too many for one chunk, form the next chunk. */
function cutOf(units: readonly Placed[]): number {
  let best = 0
  let bestRank = 9
  let largest = 1
  for (let count = 1; count < units.length; count++) {
    const size = sizeOf(units, count)
    if (size > most) break
    // A heading stays with the text below it.
    if ((units[count - 1]?.level ?? 0) > 0) continue
    largest = count
    const rank = units[count]?.rank ?? 3
    if (size < (rank === 0 ? leastUnderHeading : least) || size > wished) continue
    if (rank <= bestRank) [best, bestRank] = [count, rank]
  }
  if (best > 0) return best
  const isSmall = sizeOf(units, largest) < least / 2
  return isSmall && sizeOf(units) <= most ? units.length : largest
}

function chunkOf(text: string, units: readonly Placed[], places: Places): Chunk {
  const [first, last] = [units[0], units.at(-1)]
  if (!first || !last) throw new Error('a chunk was to be made of nothing')
  const range = text.slice(first.start, last.end)
  const own = range.trim()
  // A cut may lie before a line break.
  const start = first.start + range.length - range.trimStart().length
  return {
    text: first.header === null ? own : `${first.header.trim()}\n${own}`,
    heading: headingOf(units),
    place: places.at(start),
  }
}

/** The headings that all units share. */
function headingOf(units: readonly Placed[]): string | null {
  const texts = units.filter(({ level }) => level === 0)
  const paths = new Set((texts.length > 0 ? texts : units).map(({ path }) => path))
  let common: readonly string[] | undefined
  for (const path of paths) {
    const shared: readonly string[] = common ?? path
    const parted = shared.findIndex((heading, at) => heading !== path[at])
    common = parted === -1 ? shared : shared.slice(0, parted)
  }
  return common && common.length > 0 ? common.join(' > ') : null
}

/** Tracks the headings above a place. */
class Headings {
  readonly #above: readonly string[]
  #open: { level: number; text: string }[] = []
  #path: readonly string[]

  constructor(above: string | null) {
    this.#above = above === null ? [] : [above]
    this.#path = this.#above
  }

  at(text: string, { level, start, end }: Unit): readonly string[] {
    if (level === 0) return this.#path
    const own = plain(text.slice(start, end))
    this.#open = this.#open.filter((other) => other.level < level)
    if (own !== '') this.#open.push({ level, text: own })
    this.#path = [...this.#above, ...this.#open.map((heading) => heading.text)]
    return this.#path
  }
}

/** A heading without its marks; links are replaced by their text. */
function plain(heading: string): string {
  const line = heading
    .replace(/\n[^\n]*$/, '')
    .replace(/^ {0,3}#+/, '')
    .replace(/\s#+\s*$/, '')
    .replace(/!?\[([^[\]]{0,200})\]\([^()\s]{0,300}\)/g, '$1')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return shortened(line, headingAtMost)
}

/** Names the places of a passage; they must be asked for in order. */
class Places {
  readonly #text: string
  readonly #place: Passage['place']
  #line = 1
  #counted = 0

  constructor({ text, place }: Passage) {
    this.#text = text
    this.#place = place
  }

  at(start: number): string | null {
    if (typeof this.#place !== 'function') return this.#place
    for (;;) {
      const end = this.#text.indexOf('\n', this.#counted)
      if (end === -1 || end >= start) break
      this.#line++
      this.#counted = end + 1
    }
    return this.#place(this.#line)
  }
}
