import type { Ports } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { newItem } from './add.ts'
import { addressKey, judged } from './address.ts'
import { itemsAtMost, type StoredItem } from './item.ts'
import { counted, shelfOf } from './library.ts'

/** Pages that one sitemap may have as items at a time. */
export const listedAtMost = 200

/**
 * Makes items of the pages that a sitemap lists, if they are on its own host and the agent does not have
 * them.
 * @param address the final address of the sitemap
 * @returns whether this reader still holds the sitemap
 */
export async function listPages(
  ports: Ports,
  item: StoredItem,
  links: readonly string[],
  address: string | null,
): Promise<boolean> {
  const pages = ofOwnHost(ports, item, address, links, listedAtMost)
  if (pages.size === 0) return true
  try {
    await retryUnmet(() => added(ports, item, pages))
    return true
  } catch (cause) {
    if (cause instanceof NotOurs) return false
    throw cause
  }
}

/** The first of the links that lead to the host of the item, or to the host of its final address. */
export function ofOwnHost(
  { sender }: Pick<Ports, 'sender'>,
  item: Pick<StoredItem, 'url'>,
  address: string | null,
  links: readonly string[],
  most: number,
): Set<string> {
  const hosts = new Set([item.url, address].map((url) => URL.parse(url ?? '')?.host))
  const own = new Set<string>()
  for (const link of links) {
    if (own.size >= most) break
    const { url } = judged(sender, link)
    if (url !== undefined && hosts.has(URL.parse(url)?.host)) own.add(url)
  }
  return own
}

class NotOurs extends Error {}

async function added(ports: Ports, item: StoredItem, pages: ReadonlySet<string>): Promise<void> {
  const { store, quotas } = ports
  const { id, claim, char_id, owner_id } = item
  const shelf = await shelfOf(store, char_id, owner_id)
  if (shelf?.shelf !== item.shelf) throw new NotOurs()
  const byKey = new Map([...pages].map((url) => [addressKey(shelf.shelf, url), url]))
  const known = await store.knowledge_items.find({ address: { $in: [...byKey.keys()] } })
  for (const { address } of known) byKey.delete(address ?? '')
  const listed = await store.knowledge_items.count({ source_id: id })
  const room = Math.max(0, Math.min(itemsAtMost - shelf.items, listedAtMost - listed))
  const about = { kind: 'url', refresh: item.refresh, source_type: 'web', title: null } as const
  const now = ports.clock.now()
  const fresh = [...byKey].slice(0, room).map(([key, url]) => {
    return { ...newItem(shelf, { ...about, url }, key, now), source_id: id }
  })
  if (fresh.length === 0) return
  const bytes = fresh.reduce((sum, { weight }) => sum + weight, 0)
  const held: Write = {
    in: 'knowledge_items',
    update: { id, claim },
    change: { $inc: { turn: 1 } },
  }
  try {
    await store.commit([
      held,
      counted(shelf, { items: fresh.length, bytes }, { items: itemsAtMost }),
      ...fresh.map((insert): Write => ({ in: 'knowledge_items', insert })),
    ])
  } catch (cause) {
    if (cause instanceof Unmet && cause.index === 0) throw new NotOurs()
    throw cause
  }
  quotas.addBytes(owner_id, bytes)
}
