import type { Reach } from '#src/agents/access.ts'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { addressKey } from './address.ts'
import { bytesAnItem, itemsAtMost, type StoredItem } from './item.ts'
import { counted, ownShelf, putUp, type StoredShelf } from './library.ts'

/** Something that an agent is to know. */
export type Wanted = Pick<StoredItem, 'kind' | 'refresh'> & {
  /** Undefined: unchanged, or `web`. */
  source_type: string | undefined
  /** The caller's title; null to take the document's own. */
  title: string | null
} & ({ url: string } | { id: string; bytes: number; media_type: string | null })

/** The writes for an addition. */
export interface Addition {
  /** In the order of the request; the same address gives the same item; undefined if there is no room. */
  items: (StoredItem | undefined)[]
  writes: Write[]
  /** By how much the stored bytes of the account grow. */
  bytes: number
}

/**
 * The writes that add items, for one commit: new items wait to be read, and those that the agent already
 * has wait to be read again. The commit fails as `isOvertaken` describes if others add at the same time.
 */
export async function addition(
  reach: Reach,
  charId: string,
  wanted: readonly Wanted[],
  now: Date,
): Promise<Addition> {
  const { shelf, isKept } = await ownShelf(reach, charId)
  const known = isKept ? await knownOf(reach.store, shelf, wanted) : new Map<string, StoredItem>()
  const fresh: StoredItem[] = []
  const writes: Write[] = []
  // An address that occurs twice in one call counts once; the first decides.
  const decided = new Map<string, StoredItem>()
  const items = wanted.map((one) => {
    const key = 'url' in one ? addressKey(shelf.shelf, one.url) : null
    const before = known.get(key ?? '')
    let item = decided.get(key ?? '')
    if (item) return item
    if (before) {
      const { id, turn } = before
      item = readAgain(before, one, now)
      writes.push({ in: 'knowledge_items', update: { id, turn }, replace: item })
    } else if (shelf.items + fresh.length < itemsAtMost) {
      item = newItem(shelf, one, key, now)
      fresh.push(item)
    }
    if (item && key !== null) decided.set(key, item)
    return item
  })
  const bytes = fresh.reduce((sum, item) => sum + item.weight, 0)
  const growth = { items: fresh.length, bytes }
  if (fresh.length > 0) {
    const room = { items: itemsAtMost }
    const kept = isKept ? [counted(shelf, growth, room)] : putUp({ ...shelf, ...growth })
    writes.push(...kept, ...fresh.map((insert): Write => ({ in: 'knowledge_items', insert })))
  }
  return { items, writes, bytes }
}

async function knownOf(
  { knowledge_items }: Pick<Store, 'knowledge_items'>,
  { shelf }: StoredShelf,
  wanted: readonly Wanted[],
): Promise<Map<string, StoredItem>> {
  const keys = wanted.flatMap((one) => ('url' in one ? [addressKey(shelf, one.url)] : []))
  if (keys.length === 0) return new Map()
  const found = await knowledge_items.find({ address: { $in: keys } })
  return new Map(found.map((item) => [item.address ?? '', item]))
}

/** An item that waits to be read for the first time. */
export function newItem(
  { id: char_id, shelf, owner_id }: StoredShelf,
  wanted: Wanted,
  address: string | null,
  now: Date,
): StoredItem {
  const at = timestamp(now)
  const { kind, title, source_type = 'web', refresh } = wanted
  const isUpload = !('url' in wanted)
  const bytes = isUpload ? wanted.bytes : null
  return {
    id: isUpload ? wanted.id : newId('kno'),
    char_id,
    kind,
    source_type,
    title: title ?? (isUpload ? '' : wanted.url),
    url: isUpload ? null : wanted.url,
    source_id: null,
    media_type: isUpload ? wanted.media_type : null,
    bytes,
    sha256: null,
    status: 'queued',
    error: null,
    chunks: 0,
    refresh,
    created_at: at,
    updated_at: at,
    fetched_at: null,
    owner_id,
    shelf,
    address,
    turn: 0,
    queue: owner_id,
    due_at: at,
    refresh_at: null,
    claim: null,
    attempts: 0,
    settled_at: null,
    edition: null,
    embedded: null,
    is_named: title !== null,
    upload: isUpload,
    etag: null,
    last_modified: null,
    weight: bytesAnItem + (bytes ?? 0),
  }
}

/** An item that waits to be read again; its previous text is found meanwhile. */
function readAgain(item: StoredItem, wanted: Wanted, now: Date): StoredItem {
  const at = timestamp(now)
  const { source_type = item.source_type, title } = wanted
  const isSource = wanted.kind === 'source'
  const waiting = { queue: item.owner_id, due_at: at, refresh_at: null, claim: null, attempts: 0 }
  return {
    ...item,
    ...waiting,
    // No sitemap that listed it owns it any more.
    ...(isSource && { kind: wanted.kind, refresh: wanted.refresh, source_id: null }),
    ...(title !== null && { title, is_named: true }),
    // Read in another way it gives another text, even from the same bytes.
    ...(source_type !== item.source_type && { source_type, sha256: null, ...neverFetched }),
    status: 'queued',
    error: null,
    updated_at: at,
    turn: item.turn + 1,
  }
}

const neverFetched = { etag: null, last_modified: null }
