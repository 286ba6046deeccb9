import * as z from 'zod'
import { composedAnyway } from '#src/core/input/marks.ts'
import { isPlain } from '#src/core/text/text.ts'
import { marked, marks, type Source } from '#src/core/text/untrusted.ts'

/** The kinds of items. */
export const itemKinds = ['url', 'text', 'file', 'source'] as const
/** The states of an item. */
export const itemStatuses = ['queued', 'fetching', 'indexed', 'unchanged', 'failed'] as const
/** How often an address is read again. */
export const refreshes = ['none', 'daily', 'weekly'] as const
/** How an address can be read; any other word acts as `web`. */
export const sourceTypes = ['web', 'file', 'feed', 'sitemap']

/** Items that an agent may have. */
export const itemsAtMost = 2000
/** Chunks that an agent may have. */
export const chunksAtMost = 20_000
/** Stored bytes that an item counts in addition to its texts. */
export const bytesAnItem = 1000

const LeftOut = z.object({
  count: z.int(),
  addresses: z.array(z.string()).describe('The first of them.'),
})
/** What a sitemap lists and is not read. */
export type LeftOut = z.infer<typeof LeftOut>

export const KnowledgeItem = z
  .object({
    id: z.string(),
    char_id: z.string(),
    kind: z.enum(itemKinds),
    source_type: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    source_id: z.string().nullable().describe('The sitemap that listed it.'),
    left_out: LeftOut.nullable().describe('What a sitemap lists on other hosts.'),
    media_type: z.string().nullable(),
    bytes: z.int().nullable(),
    sha256: z.string().nullable(),
    status: z.enum(itemStatuses),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    chunks: z.int(),
    refresh: z.enum(refreshes),
    created_at: z.string(),
    updated_at: z.string(),
    fetched_at: z.string().nullable(),
    ...marks,
  })
  .meta({ id: 'KnowledgeItem' })
/** Something that an agent has been given to know, as the wire shows it. */
export type KnowledgeItem = z.infer<typeof KnowledgeItem>

/** An item at rest. */
export interface StoredItem extends Omit<KnowledgeItem, 'left_out'> {
  /** Absent from items that were stored before there was this member. */
  left_out?: LeftOut | null
  owner_id: string
  /** The shelf of its agent, by `StoredShelf.shelf`. */
  shelf: string
  /** Identifies an address of an agent; null if the item has none. */
  address: string | null
  /** Changes with every change of the item, so that a write can be conditional on it. */
  turn: number
  /** Its account while it waits to be read or is being read; else null. */
  queue: string | null
  /** When it is to be read, or when its reader's claim ends. */
  due_at: string | null
  /** When it is queued again by itself. */
  refresh_at: string | null
  /** The claim of its reader. */
  claim: string | null
  /** Readings begun since it was last settled. */
  attempts: number
  /** When a reading last ended; absent from items that were stored before there was this member. */
  settled_at?: string | null
  /** The edition whose chunks are found; null while there is none. */
  edition: string | null
  /** The model by which its chunks were embedded, empty if not yet; null if it has no chunks. */
  embedded: string | null
  /** The title was given by a caller, not by the document itself. */
  is_named: boolean
  /** Its bytes are stored as a file under its id. */
  upload: boolean
  etag: string | null
  last_modified: string | null
  /** Stored bytes that it counts for the account. */
  weight: number
}

/** A piece of an item that is found and quoted, under `edition/position`. */
export interface StoredChunk {
  id: string
  shelf: string
  /** The `editionMark` of its edition. */
  edition: string
  item_id: string
  /** Counted from 0 in the order of the document. */
  position: number
  heading: string | null
  /** Its place, in words; null if unknown. */
  place: string | null
  text: string
}

const digits = 5

/** The id of a chunk: the chunks of an edition are adjacent and in order. */
export function chunkId(edition: string, position: number): string {
  return `${edition}/${String(position).padStart(digits, '0')}`
}

/** The edition of a chunk, by its id. */
export function editionOf(id: string): string {
  return id.slice(0, id.lastIndexOf('/'))
}

/** An edition without the name of its shelf; searches exclude by it. */
export function editionMark(edition: string): string {
  return edition.slice(edition.lastIndexOf('/') + 1)
}

/** All ids that begin with this and a slash: of an edition, or of all editions of a shelf. */
export function idsUnder(prefix: string): { $gt: string; $lt: string } {
  // No character of an id is between the slash and 0.
  return { $gt: `${prefix}/`, $lt: `${prefix}0` }
}

/** The page that an item was read from; undefined for what the account has given itself. */
export function pageOf({ kind, url }: Pick<KnowledgeItem, 'kind' | 'url'>): Source | undefined {
  if (kind !== 'url' && kind !== 'source') return undefined
  return { kind: 'page', ...(url !== null && { address: url }) }
}

/** The item as the wire shows it. */
export function publicItem(stored: StoredItem): KnowledgeItem {
  const { id, char_id, kind, source_type, title, url, source_id, media_type, bytes } = stored
  const { sha256, status, error, chunks, refresh, created_at, updated_at, fetched_at } = stored
  const { left_out = null } = stored
  const about = { id, char_id, kind, source_type, title, url, source_id, media_type, bytes, sha256 }
  const times = { created_at, updated_at, fetched_at }
  const read = { left_out, status, error, chunks, refresh }
  return { ...about, ...read, ...times, ...marked(pageOf(stored)) }
}

const titleAtMost = 200
/** How many characters are examined for a title, since the text may be a whole document. */
const lookedAt = 10_000

/** A readable title from what a document calls itself; undefined if nothing is left. */
export function plainTitle(text: string): string | undefined {
  const looked = text.slice(0, lookedAt).toWellFormed()
  const shown = Array.from(composedAnyway(looked))
    .filter((character) => isPlain(character) || /\s/.test(character))
    .slice(0, 4 * titleAtMost)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return Array.from(shown).slice(0, titleAtMost).join('').trim() || undefined
}
