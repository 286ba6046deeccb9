import { crc32 } from 'node:zlib'
import * as z from 'zod'
import type { Condition, Filter, Scalar } from '#src/ports/filter.ts'
import type { Collection, FindOptions, Row } from '#src/ports/store.ts'
import { Answer } from './answer.ts'
import { refuse } from './errors.ts'
import { isMap } from './maps.ts'
import { Warning } from './schema.ts'
import { hintFor } from './commons/codes.ts'

/** A page of large documents ends before its limit is reached. */
export const pageCharactersAtMost = 2 ** 20

/** The members that every list takes. */
export const pageInput = {
  limit: z.int().min(1).max(100).default(20).describe('Items a page.'),
  cursor: z.string().min(1).max(1024).optional().describe('next_cursor of the page before.'),
}

/** What every list answers. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() })
}

/** What a list answers that says which of its filters name nothing that exists. */
export function warnedPageOf<T extends z.ZodType>(item: T) {
  return pageOf(item).extend({ warnings: z.array(Warning).optional() })
}

/** The page that is asked for. */
export interface Page {
  limit: number
  cursor?: string | undefined
}

/** The order of a list: by one path and then by id, in one direction. */
export interface Order {
  /** Names the list, its owner and its filters: a cursor of another list is refused. */
  list: string
  by: string
  direction: 1 | -1
}

/** Where a page ended: the sort key and the id of its last item. */
export type Key = readonly [sortKey: string | number, id: string]

/** The cursor for the items after this place of the list. */
export function sealCursor(order: Order, key: Key): string {
  const body = JSON.stringify(key)
  return Buffer.from(`${crc32(`${order.list}\n${body}`).toString(36)}.${body}`).toString(
    'base64url',
  )
}

/** The place that a cursor names. @throws Refusal `cursor_invalid` for a broken cursor, or one of another list */
export function openCursor(order: Order, cursor: string): Key {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const dot = text.indexOf('.')
  const body = text.slice(dot + 1)
  if (dot < 1 || text.slice(0, dot) !== crc32(`${order.list}\n${body}`).toString(36)) brokenCursor()
  return keyIn(body) ?? brokenCursor()
}

/** The checksum catches accidents, not forgery: the content of a cursor is checked like any input. */
function keyIn(body: string): Key | undefined {
  try {
    const key: unknown = JSON.parse(body)
    if (!Array.isArray(key) || key.length !== 2) return undefined
    const [sortKey, id] = key as unknown[]
    const isKey = typeof sortKey === 'string' || typeof sortKey === 'number'
    return isKey && typeof id === 'string' ? [sortKey, id] : undefined
  } catch {
    return undefined
  }
}

/** @throws Refusal `cursor_invalid` always */
export function brokenCursor(): never {
  return refuse('cursor_invalid', 'This cursor is broken or belongs to another list.', {
    hint: hintFor('cursor_invalid'),
  })
}

/** The filter restricted to what comes after the key; alternatives are restricted one by one. */
export function after<T>(filter: Filter<T>, order: Order, [sortKey, id]: Key): Filter<T> {
  const isUp = order.direction === 1
  const beyond = isUp ? '$gt' : '$lt'
  const { $or: alternatives, ...rest } = filter
  if (order.by === 'id') {
    const branches = alternatives?.map((branch) => ({ ...branch, id: { [beyond]: id } }))
    if (branches) return { ...rest, $or: branches }
    // A list may lie between two ids itself.
    const { id: own } = rest as { id?: Scalar | Condition }
    return { ...rest, id: { ...(isMap(own) && own), [beyond]: id } }
  }
  const steps = [
    { [order.by]: { [beyond]: sortKey } },
    { [order.by]: sortKey, id: { [beyond]: id } },
  ]
  const branches = (alternatives ?? [{}]).flatMap((branch) =>
    steps.map((step) => ({ ...branch, ...step })),
  )
  // The bound lets the index start at the page, not at the start of the list.
  const bound = { [order.by]: { [isUp ? '$gte' : '$lte']: sortKey } }
  // Filters are plain data with computed paths, which the mapped type cannot follow.
  return { ...rest, ...bound, $or: branches } as Filter<T>
}

/** One page as stored, and the cursor of the next. */
export interface RowPage {
  rows: Row[]
  next: string | null
}

/** How many of the rows fit into a page of a size that can be sent; at least one. */
export function rowsThatFit(rows: readonly Row[]): number {
  let characters = 0
  const first = rows.findIndex((row) => (characters += row.text.length) > pageCharactersAtMost)
  return first < 0 ? rows.length : Math.max(1, first)
}

/** One page of stored texts, shorter than asked for if they are large. Only the last row is parsed. */
export async function readPage<T extends { id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  page: Page,
  order: Order,
): Promise<RowPage> {
  const narrowed = page.cursor ? after(filter, order, openCursor(order, page.cursor)) : filter
  const sort = { [order.by]: order.direction } as NonNullable<FindOptions<T>['sort']>
  const size = { limit: page.limit + 1, charactersAtMost: pageCharactersAtMost }
  const rows = await collection.text(narrowed, { sort, ...size })
  const shown = Math.min(page.limit, rowsThatFit(rows))
  if (rows.length <= shown) return { rows, next: null }
  rows.length = shown
  const last = rows[shown - 1]
  return { rows, next: last ? cursorAfter(order, last) : null }
}

/**
 * One page of several lists as if they were one.
 * @param pages of each, read for the same page in the same order
 */
export function mergedPage(pages: readonly RowPage[], { limit }: Page, order: Order): RowPage {
  const keyOf = (row: Row): Key => [
    order.by === 'id' ? row.id : memberOf(row.text, order.by),
    row.id,
  ]
  const all = pages
    .flatMap(({ rows }) => rows.map((row) => ({ row, key: keyOf(row) })))
    .sort((a, b) => compared(a.key, b.key) * order.direction)
  // What comes after the last row of a list that goes on may come after rows of that list too.
  const ends = pages.flatMap(({ rows, next }) => (next === null ? [] : rows.slice(-1).map(keyOf)))
  const known = all.filter(({ key }) =>
    ends.every((end) => compared(key, end) * order.direction <= 0),
  )
  const rows = known.slice(0, limit).map(({ row }) => row)
  const last = rows.at(-1)
  const goesOn = rows.length < all.length || ends.length > 0
  return { rows, next: goesOn && last ? cursorAfter(order, last) : null }
}

function compared([a, aId]: Key, [b, bId]: Key): number {
  if (a !== b) return a < b ? -1 : 1
  return aId < bId ? -1 : Number(aId > bId)
}

/** The cursor for the items after a row of the list. */
export function cursorAfter(order: Order, { id, text }: Row): string {
  return sealCursor(order, [order.by === 'id' ? id : memberOf(text, order.by), id])
}

/**
 * The member by which a list is ordered, which every document of the list shows. Where its name occurs only
 * once, the rest of the text need not be parsed.
 */
function memberOf(text: string, name: string): string | number {
  // Inside of a text, quotation marks are escaped: only a member of this or of an inner object reads so.
  const beginning = `"${name}":`
  const at = text.indexOf(beginning)
  const from = at + beginning.length
  if (at > 0 && text[from] === '"' && text.indexOf(beginning, from) < 0) {
    const value = text.slice(from + 1, text.indexOf('"', from + 1))
    if (!value.includes('\\')) return value
  }
  // The document was written by this server; the operation chose the path.
  return (JSON.parse(text) as Record<string, string | number>)[name] ?? ''
}

/** The wire text of a page of any items. @param more further members of the answer */
export function pageAnswer<T extends object = object>(
  texts: readonly string[],
  next: string | null,
  more?: T,
): Answer<{ items: never[]; next_cursor: string | null } & Partial<T>> {
  const page = `{"items":[${texts.join(',')}],"next_cursor":${JSON.stringify(next)}`
  return new Answer(more ? `${page},${JSON.stringify(more).slice(1)}` : `${page}}`)
}
