import {
  brokenCursor,
  openCursor,
  type Order,
  type Page,
  readPage,
  rowsThatFit,
  sealCursor,
} from '#src/core/page.ts'
import type { Row, Store } from '#src/ports/store.ts'
import { publicProfile, type PublicProfile } from '../public/profile.ts'
import { parseQuery } from '#src/core/text/search-query.ts'
import { skillKey, type DirectoryEntry, type DirectorySkill } from './entry.ts'

/** What is looked for. */
export interface DirectoryQuery {
  q?: string | undefined
  skill?: string | undefined
}

/** Found agents that can be paged through. */
const hitsAtMost = 200
/** Profiles may be large, so few are read at a time. */
const atOnce = 20

interface RowsPage {
  rows: readonly Row[]
  next: string | null
}

/**
 * A page of the directory: best match first with search words, otherwise newest first; with a skill
 * only agents that show it.
 * @throws Refusal `cursor_invalid`; Unavailable
 */
export async function directoryPage(
  store: Store,
  query: DirectoryQuery,
  page: Page,
  publicUrl: string,
): Promise<{ items: PublicProfile[]; next_cursor: string | null }> {
  const skill = query.skill === undefined ? undefined : skillKey(query.skill)
  const { rows, next } = await rowsOf(store, { q: query.q, skill }, page)
  return { items: await shown(store, rows, publicUrl), next_cursor: next }
}

function rowsOf(store: Store, { q, skill }: DirectoryQuery, page: Page): Promise<RowsPage> {
  if (q !== undefined && q !== '') return foundRows(store, q, skill, page)
  if (skill !== undefined) return skilledRows(store, skill, page)
  const order: Order = { list: 'directory', by: 'created_at', direction: -1 }
  return readPage(store.directory, {}, page, order)
}

async function skilledRows(store: Store, skill: string, page: Page): Promise<RowsPage> {
  const order: Order = { list: `directory skill ${skill}`, by: 'created_at', direction: -1 }
  const { rows: places, next } = await readPage(store.directory_skills, { skill }, page, order)
  // Stored by us.
  const skills = places.map(({ text }) => JSON.parse(text) as DirectorySkill)
  const ids = skills.map(({ char_id }) => char_id)
  const { rows, taken } = await entriesOf(store, ids)
  const last = skills[taken - 1]
  const isCut = taken < skills.length && last
  return { rows, next: isCut ? sealCursor(order, [last.created_at, last.id]) : next }
}

async function foundRows(
  store: Store,
  q: string,
  skill: string | undefined,
  { limit, cursor }: Page,
): Promise<RowsPage> {
  const order: Order = {
    list: JSON.stringify(['directory', q, skill]),
    by: 'place',
    direction: 1,
  }
  const from = cursor === undefined ? 0 : placeIn(order, cursor)
  const end = Math.min(from + limit, hitsAtMost)
  const marks: Record<string, string> = skill === undefined ? {} : { skill_keys: skill }
  const most = Math.min(end + 1, hitsAtMost)
  const options = { limit: most, marks, textless: true } as const
  const hits = await store.search('directory', parseQuery(q), options)
  const ids = hits.slice(from, end).map(({ id }) => id)
  const { rows, taken } = await entriesOf(store, ids)
  const at = from + taken
  return { rows, next: hits.length > at ? sealCursor(order, [at, '']) : null }
}

/** The entries of so many of these agents, in their order, as make a page; at least one is taken. */
async function entriesOf(
  { directory }: Store,
  ids: readonly string[],
): Promise<{ rows: Row[]; taken: number }> {
  const rows: Row[] = []
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce)
    const read = new Map((await directory.text({ id: { $in: some } })).map((row) => [row.id, row]))
    for (const [i, id] of some.entries()) {
      const row = read.get(id)
      if (!row) continue
      if (rowsThatFit([...rows, row]) <= rows.length) return { rows, taken: at + i }
      rows.push(row)
    }
  }
  return { rows, taken: ids.length }
}

/** Cursors can be forged, so the place is checked to be a number of hits. */
function placeIn(order: Order, cursor: string): number {
  const [from] = openCursor(order, cursor)
  const isPlace = typeof from === 'number' && Number.isInteger(from) && from > 0
  if (isPlace && from < hitsAtMost) return from
  return brokenCursor()
}

async function shown(
  store: Store,
  rows: readonly Row[],
  publicUrl: string,
): Promise<PublicProfile[]> {
  // Stored by us, without its hidden members.
  const entries = rows.map(({ text }) => JSON.parse(text) as DirectoryEntry)
  const ids = new Set(entries.flatMap(({ owner_id }) => owner_id ?? []))
  const owners = ids.size > 0 ? await store.accounts.find({ id: { $in: [...ids] } }) : []
  const ownerOf = new Map(owners.map((account) => [account.id, account]))
  return entries.map(({ profile, is_feed_open, owner_id }) =>
    publicProfile(profile, {
      isFeedOpen: is_feed_open,
      owner: owner_id === null ? undefined : ownerOf.get(owner_id),
      publicUrl,
    }),
  )
}
