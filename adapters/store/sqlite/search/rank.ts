import { marksColumn, wordColumn } from './tables.ts'

/** If very many documents match, only the newest are ranked, which bounds the cost. */
export const mostRanked = 300

/**
 * With marks, the rows of a term are read once and kept, up to this many: that costs a fraction of
 * querying each combination of terms.
 */
export const mostKept = 1_000

/**
 * How common a word is, is estimated from this many matches: by how far back the newest of them reach.
 */
const probed = 256

/** From this many terms on, one query first checks whether a member contains any of them. */
const askedTogether = 3

/** What is searched for in one table. */
export interface Sought {
  words: readonly string[]
  phrases: readonly (readonly string[])[]
  mode: 'all' | 'any'
  /** The weight of each searched member. */
  weights: readonly number[]
  /** Tokens of marks, all of which must be present. */
  marks: readonly string[]
  /** Tokens of marks, none of which may be present. */
  without: readonly string[]
}

/**
 * The row numbers of an FTS5 expression: at most `most` of them, either from `from` on, highest first;
 * or all from the lowest on, which takes half the time.
 */
export type Look = (expression: string, from: number | 'lowest first', most: number) => number[]

/** A row with its score, and the terms it contains. */
export interface Ranked {
  row: number
  score: number
  matched: string[]
}

interface Term {
  /** In the form that is returned to the caller. */
  text: string
  /** In FTS5's syntax. */
  expression: string
  required: boolean
  /** How significant the term is: the rarer, the more. */
  worth: number
  /** All rows that contain it, if the search has marks and the rows are few enough to keep. */
  rows: readonly number[] | undefined
}

/**
 * The matches, best first. FTS5's own rank (bm25) counts every match of every word before it returns
 * the first row, which for common words takes longer than all the rest together and grows with the
 * table. This one reads only the newest matches, which FTS5 yields in reverse order. A term counts by
 * its rarity times the weight of the heaviest member that contains it, words that stand close to each
 * other count a second time, and among equals the newest is first.
 * @param last the highest row number
 */
export function ranked(sought: Sought, last: number, look: Look): Iterable<Ranked> {
  return new Ranking(sought, last, look).rows()
}

class Ranking {
  readonly #sought: Sought
  readonly #look: Look
  readonly #terms: Term[]
  /** The rows to rank, and their positions in the arrays of scores. */
  readonly #places = new Map<number, number>()
  #lowest = 0
  /** Whether a member contains any of the terms at all, as far as it was checked. */
  readonly #held = new Map<number, boolean>()

  constructor(sought: Sought, last: number, look: Look) {
    this.#sought = sought
    this.#look = look
    const isAll = sought.mode === 'all'
    const toTerm = (words: readonly string[], required: boolean): Term => {
      const expression = literal(words)
      return { text: words.join(' '), expression, required, ...this.#worth(expression, last) }
    }
    this.#terms = [
      ...sought.phrases.map((words) => toTerm(words, true)),
      ...sought.words.map((word) => toTerm([word], isAll)),
    ].toSorted((a, b) => b.worth - a.worth)
  }

  rows(): Iterable<Ranked> {
    const required = this.#terms.filter((term) => term.required)
    if (required.some(({ worth }) => worth === 0)) return []
    const within = this.#gatherNarrow(required) ?? this.#gather(required)
    if (this.#places.size === 0) return []
    const scores = new Float64Array(this.#places.size)
    const matched = new Uint32Array(this.#places.size)
    for (const [position, term] of this.#terms.entries()) {
      for (const [place, weight] of this.#weights(term, within).entries()) {
        if (weight === 0) continue
        scores[place] = (scores[place] ?? 0) + term.worth * weight
        matched[place] = (matched[place] ?? 0) | (1 << position)
      }
    }
    this.#addNearness(within, scores)
    return this.#inOrder(scores, matched)
  }

  /** 0 when no document contains it. */
  #worth(expression: string, last: number): Pick<Term, 'worth' | 'rows'> {
    const rows = this.#allOf(expression)
    const newest = rows ?? this.#look(this.#anywhere(expression), 0, probed)
    const probe = Math.min(newest.length, probed)
    const lowest = newest[probe - 1]
    if (lowest === undefined) return { worth: 0, rows }
    const reach = probe < probed ? last : last - lowest + 1
    return { worth: Math.log(1 + Math.max(1, reach) / probe), rows }
  }

  /** Highest first; undefined if there are very many, as is usual without marks. */
  #allOf(expression: string): number[] | undefined {
    if (this.#sought.marks.length === 0) return undefined
    const rows = this.#look(this.#anywhere(expression), 'lowest first', mostKept + 1)
    return rows.length <= mostKept ? rows.toReversed() : undefined
  }

  /**
   * The same as `#gather` if the rows of all terms are known: without querying any of them again, and
   * for all rows, not only the newest; undefined if they are not known.
   */
  #gatherNarrow(required: readonly Term[]): string | undefined {
    const free = this.#terms.filter((term) => !term.required && term.worth > 0)
    const of = required.length > 0 ? required : free
    if ([...required, ...free].some(({ rows }) => rows === undefined)) return undefined
    const held = new Map<number, number>()
    for (const { rows = [] } of of) for (const row of rows) held.set(row, (held.get(row) ?? 0) + 1)
    const least = required.length > 0 ? required.length : 1
    this.#lowest = Infinity
    for (const [row, count] of held) {
      if (count < least) continue
      this.#places.set(row, this.#places.size)
      this.#lowest = Math.min(this.#lowest, row)
    }
    const expressions = of.map(({ expression }) => expression)
    if (required.length > 0) return all(expressions)
    return any(expressions)
  }

  /** Collects the rows to rank, and returns an expression that all of them match. */
  #gather(required: readonly Term[]): string {
    const base = required.map(({ expression }) => expression)
    const free = this.#terms.filter((term) => !term.required && term.worth > 0)
    const among: string[] = []
    // First the rows with all terms, then with ever fewer, leaving out the most common term first.
    for (let some = free.length; some > 0; some -= 1) {
      if (this.#take(all([...base, ...free.slice(0, some).map((term) => term.expression)]))) break
    }
    for (const { expression } of free) {
      among.push(expression)
      if (this.#places.size >= mostRanked) break
      this.#take(all([...base, expression]))
    }
    if (base.length > 0 && this.#places.size < mostRanked) {
      this.#take(all(base))
      return all(base)
    }
    return all(among.length > 0 ? [...base, any(among)] : base)
  }

  /** Returns whether there is no room for more. */
  #take(expression: string): boolean {
    for (const row of this.#look(this.#anywhere(expression), 0, mostRanked)) {
      if (this.#places.has(row)) continue
      this.#places.set(row, this.#places.size)
      this.#lowest = this.#places.size === 1 ? row : Math.min(this.#lowest, row)
      if (this.#places.size >= mostRanked) return true
    }
    return false
  }

  /** For each row, the weight of the heaviest member that contains the term; 0 if none does. */
  #weights(term: Term, within: string): Float64Array {
    const { weights } = this.#sought
    const lightest = weights.indexOf(Math.min(...weights))
    const found = new Float64Array(this.#places.size)
    const mark = (rows: readonly number[], weight: number): void => {
      for (const row of rows) {
        const place = this.#places.get(row)
        if (place !== undefined) found[place] = Math.max(found[place] ?? 0, weight)
      }
    }
    const note = (expression: string, weight: number): void =>
      mark(this.#look(expression, this.#lowest, mostRanked), weight)
    if (term.worth === 0) return found
    const least = weights[lightest] ?? 0
    // Every row matched the required terms, at least in the lightest member.
    if (term.required) found.fill(least)
    else if (term.rows) mark(term.rows, least)
    else note(this.#anywhere(all([term.expression, within])), least)
    for (const [column, weight] of weights.entries()) {
      if (column === lightest || !this.#isHeldBy(column, term)) continue
      const own = `(${wordColumn(column)} : ${term.expression})`
      if (!term.rows) note(`${this.#anywhere(within)} AND ${own}`, weight)
      else mark(this.#look(this.#under(own), 'lowest first', mostKept), weight)
    }
    return found
  }

  /** False if one query shows that no row under the marks contains any of the terms in this member. */
  #isHeldBy(column: number, { rows }: Term): boolean {
    // With few terms, querying each is as quick.
    if (rows === undefined || this.#terms.length < askedTogether) return true
    let held = this.#held.get(column)
    if (held === undefined) {
      const terms = any(this.#terms.map(({ expression }) => expression))
      const own = this.#under(`(${wordColumn(column)} : (${terms}))`)
      held = this.#look(own, 'lowest first', 1).length > 0
      this.#held.set(column, held)
    }
    return held
  }

  #addNearness(within: string, scores: Float64Array): void {
    const { words, weights, mode } = this.#sought
    if (mode === 'any' || words.length < 2) return
    const near = `NEAR(${words.map((word) => literal([word])).join(' ')}, 8)`
    const worth = this.#terms.reduce((sum, term) => sum + term.worth, 0) * Math.min(...weights)
    const most = Math.max(mostRanked, this.#places.size)
    for (const row of this.#look(this.#anywhere(all([within, near])), this.#lowest, most)) {
      const place = this.#places.get(row)
      if (place !== undefined) scores[place] = (scores[place] ?? 0) + worth
    }
  }

  *#inOrder(scores: Float64Array, matched: Uint32Array): Iterable<Ranked> {
    const rows = [...this.#places].map(([row, place]) => {
      const held = matched[place] ?? 0
      return { row, score: scores[place] ?? 0, held }
    })
    rows.sort((a, b) => b.score - a.score || b.row - a.row)
    for (const { row, score, held } of rows) {
      const terms = this.#terms.filter((_, position) => held & (1 << position))
      yield { row, score, matched: terms.map(({ text }) => text) }
    }
  }

  #under(expression: string): string {
    const { marks, without } = this.#sought
    const under = expression + marks.map((token) => ` AND ${marksColumn} : "${token}"`).join('')
    if (without.length === 0) return under
    return `(${under}) NOT ${marksColumn} : (${without.map((token) => `"${token}"`).join(' OR ')})`
  }

  /** In any of the searched members, under all marks. */
  #anywhere(expression: string): string {
    const columns = this.#sought.weights.map((_, column) => wordColumn(column)).join(' ')
    return this.#under(`({${columns}} : (${expression}))`)
  }
}

/** Between quotes only the quote itself is special, and it is doubled. */
function literal(words: readonly string[]): string {
  return `"${words.join(' ').replaceAll('"', '""')}"`
}

function all(expressions: readonly string[]): string {
  return expressions.map((one) => `(${one})`).join(' AND ')
}

function any(expressions: readonly string[]): string {
  return expressions.map((one) => `(${one})`).join(' OR ')
}
