import { setImmediate as turn } from 'node:timers/promises'
import { parsedSteps } from '#src/core/input/json-steps.ts'
import { inPortions, type Steps } from '#src/core/turns/portions.ts'
import type { Row } from '#src/ports/store.ts'
import type { Members, Parts, StoredRow } from './rows.ts'

/** A row of which only the bytes are read at once: it is decoded and parsed in turns of its own. */
export interface LargeRow {
  id: string
  doc: Uint8Array
  hidden: Uint8Array | null
}

/** A row as it is read. */
export type ReadRow = StoredRow | LargeRow

/** A row of more bytes is large. */
export const bytesAtOnce = 262_144
/** To decode takes a fraction of the time that it takes to parse. */
const decodedAtOnce = 2 ** 20

const clock = { turn: () => turn(), monotonic: () => performance.now() }

/** Does the steps in portions, each in a turn of the event loop of its own. */
export function inTurns<R>(steps: Steps<R>): Promise<R> {
  return inPortions(steps, clock)
}

/** Whether to write a document takes more than a moment: there is a long text in it, or in one of its members. */
export function hasLongText(document: object): boolean {
  for (const name in document) {
    const member: unknown = Reflect.get(document, name)
    if (isLongText(member)) return true
    if (typeof member !== 'object' || member === null || Array.isArray(member)) continue
    for (const inner in member) if (isLongText(Reflect.get(member, inner))) return true
  }
  return false
}

function isLongText(value: unknown): boolean {
  return typeof value === 'string' && value.length > bytesAtOnce
}

/** Values that are copied in one turn. */
const valuesAtOnce = 1000

/** Whether to copy a value takes more than a moment: it is made of many. */
export function hasManyValues(value: unknown): boolean {
  const open = [value]
  let count = 0
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next)
    count += inner.length
    if (count > valuesAtOnce) return true
    open.push(...inner)
  }
  return false
}

export function isSmall(row: ReadRow): row is StoredRow {
  return !('doc' in row)
}

/** The length of a row's texts, in UTF-16 units; of a large one the least that it can be. */
export function leastCharacters(row: ReadRow): number {
  if (isSmall(row)) return row[1].length + (row[2]?.length ?? 0)
  return (row.doc.length + (row.hidden?.length ?? 0)) / 3
}

/**
 * What is made of rows: at once if all are small, else in portions.
 * @param charactersAtMost once the rows together are longer, no more than two are used
 */
export function madeOf<R>(
  rows: readonly ReadRow[],
  one: (row: StoredRow) => R,
  steps: (row: StoredRow) => Steps<R>,
  charactersAtMost: number,
): R[] | Promise<R[]> {
  if (rows.every(isSmall)) return rows.map(one)
  return inTurns(madeSteps(rows, steps, charactersAtMost))
}

/** What is made of a large row, in portions. */
export function madeOfLarge<R>(row: LargeRow, steps: (row: StoredRow) => Steps<R>): Promise<R> {
  return inTurns(oneSteps(row, steps))
}

/** The texts of rows, in the same way. */
export function textsOf(
  rows: readonly ReadRow[],
  charactersAtMost: number,
): Row[] | Promise<Row[]> {
  return madeOf(rows, textOf, textSteps, charactersAtMost)
}

function textOf([id, text]: StoredRow): Row {
  return { id, text }
}

// It is a text already.
// oxlint-disable-next-line require-yield
function* textSteps(row: StoredRow): Steps<Row> {
  return textOf(row)
}

function* madeSteps<R>(
  rows: readonly ReadRow[],
  steps: (row: StoredRow) => Steps<R>,
  charactersAtMost: number,
): Steps<R[]> {
  const made: R[] = []
  let characters = 0
  for (const row of rows) {
    if (characters > charactersAtMost && made.length > 1) break
    const whole = isSmall(row) ? row : yield* decodedSteps(row)
    characters += leastCharacters(whole)
    made.push(yield* steps(whole))
  }
  return made
}

function* oneSteps<R>(row: LargeRow, steps: (row: StoredRow) => Steps<R>): Steps<R> {
  return yield* steps(yield* decodedSteps(row))
}

/** The two parts of a row, parsed in steps. */
export function* partsSteps([, doc, hiddenDoc]: StoredRow): Steps<Parts> {
  // Both columns hold the JSON of an object.
  const shown = (yield* parsedSteps(doc)) as Members
  const hidden = hiddenDoc ? ((yield* parsedSteps(hiddenDoc)) as Members) : {}
  return { shown, hidden }
}

function* decodedSteps({ id, doc, hidden }: LargeRow): Steps<StoredRow> {
  return [id, yield* decodedText(doc), hidden && (yield* decodedText(hidden))]
}

/** A text out of its UTF-8, cut where no character is. */
function* decodedText(bytes: Uint8Array): Steps<string> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let from = 0; from < all.length;) {
    let to = Math.min(from + decodedAtOnce, all.length)
    while (to < all.length && ((all[to] ?? 0) & 0xc0) === 0x80) to -= 1
    parts.push(all.toString('utf8', from, to))
    yield
    from = to
  }
  return parts.join('')
}
