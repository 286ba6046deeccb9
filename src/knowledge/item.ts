import * as z from 'zod'
import { composedAnyway } from '#src/core/input/marks.ts'
import { isPlain } from '#src/core/text/text.ts'

/** What an item can be. */
export const itemKinds = ['url', 'text', 'file', 'source'] as const
/** How far an item is. */
export const itemStatuses = ['queued', 'fetching', 'indexed', 'unchanged', 'failed'] as const
/** How often an address is read again. */
export const refreshes = ['none', 'daily', 'weekly'] as const
/** How an address can be read; another word acts as `web`. */
export const sourceTypes = ['web', 'file', 'feed', 'sitemap']

/** Items that an agent can have. */
export const itemsAtMost = 2000
/** Chunks that an agent can have. */
export const chunksAtMost = 20_000
/** What an item counts among the stored bytes, beside its texts. */
export const bytesAnItem = 1000

export const KnowledgeItem = z
  .object({
    id: z.string(),
    char_id: z.string(),
    kind: z.enum(itemKinds),
    source_type: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    source_id: z.string().nullable().describe('The sitemap that listed it.'),
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
  })
  .meta({ id: 'KnowledgeItem' })
/** Something that an agent has been given to know, as the wire shows it. */
export type KnowledgeItem = z.infer<typeof KnowledgeItem>

/** An item at rest. */
export interface StoredItem extends KnowledgeItem {
  owner_id: string
  /** The shelf of its agent, by `StoredShelf.shelf`. */
  shelf: string
  /** Tells the same address of the same agent; null for what has none. */
  address: string | null
  /** Moves with every change: what was decided on is what is changed. */
  turn: number
  /** Its account while it waits to be read or is being read; else null. */
  queue: string | null
  /** When it is to be read, or whoever reads it has been lost. */
  due_at: string | null
  /** When it joins the queue again by itself. */
  refresh_at: string | null
  /** Who reads it. */
  claim: string | null
  /** Readings begun since it was last settled. */
  attempts: number
  /** Whose chunks are found; null while there are none. */
  edition: string | null
  /** The model by which its chunks were embedded, empty for none yet; null where it has no chunks. */
  embedded: string | null
  /** The title was given by a caller, and not by the document itself. */
  is_named: boolean
  /** Its bytes wait in the files under its id. */
  upload: boolean
  etag: string | null
  last_modified: string | null
  /** What it counts among the stored bytes of the account. */
  weight: number
}

/** A piece of an item that is found and quoted, under `edition/position`. */
export interface StoredChunk {
  id: string
  shelf: string
  /** What `editionMark` makes of its edition. */
  edition: string
  item_id: string
  /** Counted from 0 in the order of the document. */
  position: number
  heading: string | null
  /** Where it stands, in words; null where nothing tells. */
  place: string | null
  text: string
}

const digits = 5

/** The id of a chunk: chunks of an edition lie together, in their order. */
export function chunkId(edition: string, position: number): string {
  return `${edition}/${String(position).padStart(digits, '0')}`
}

/** The edition that a chunk belongs to, by its id. */
export function editionOf(id: string): string {
  return id.slice(0, id.lastIndexOf('/'))
}

/** An edition without the name of its shelf, by which a search leaves it out. */
export function editionMark(edition: string): string {
  return edition.slice(edition.lastIndexOf('/') + 1)
}

/** All ids that begin with this and a slash: of an edition, or of all editions of a shelf. */
export function idsUnder(prefix: string): { $gt: string; $lt: string } {
  // No character of an id lies between the slash and the 0.
  return { $gt: `${prefix}/`, $lt: `${prefix}0` }
}

/** The item as the wire shows it. */
export function publicItem(stored: StoredItem): KnowledgeItem {
  const { id, char_id, kind, source_type, title, url, source_id, media_type, bytes } = stored
  const { sha256, status, error, chunks, refresh, created_at, updated_at, fetched_at } = stored
  const about = { id, char_id, kind, source_type, title, url, source_id, media_type, bytes, sha256 }
  return { ...about, status, error, chunks, refresh, created_at, updated_at, fetched_at }
}

const titleAtMost = 200
/** Of what may be a whole document, characters that are looked at for a title. */
const lookedAt = 10_000

/** A title as people read it, out of what a document calls itself; undefined where nothing is left. */
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
