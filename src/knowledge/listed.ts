import type { Ports } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { inPortionsIfLong, type Steps } from '#src/core/turns/portions.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { newItem } from './add.ts'
import { addressKey, judged } from './address.ts'
import { itemsAtMost, type LeftOut, type StoredItem } from './item.ts'
import { counted, shelfOf } from './library.ts'

/** Pages that one sitemap may have as items at a time. */
export const listedAtMost = 200
/** Addresses that are shown of those left out, and their characters. */
const shownAtMost = 5
const charactersAtMost = 500
/** Addresses of one step. */
const stepOf = 1000

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
  const hosts = hostsOf(item, address)
  const own = new Set<string>()
  for (const link of links) {
    if (own.size >= most) break
    const { url } = judged(sender, link)
    if (url !== undefined && hosts.has(URL.parse(url)?.host ?? '')) own.add(url)
  }
  return own
}

/** What a sitemap lists on other hosts than its own, of which nothing is read; null if there is none. */
export async function leftOutOf(
  { clock }: Pick<Ports, 'clock'>,
  item: Pick<StoredItem, 'url'>,
  address: string | null,
  links: readonly string[],
): Promise<LeftOut | null> {
  return inPortionsIfLong(leftOutSteps(hostsOf(item, address), links), clock)
}

function* leftOutSteps(
  hosts: ReadonlySet<string>,
  links: readonly string[],
): Steps<LeftOut | null> {
  let count = 0
  const addresses: string[] = []
  for (const [at, link] of links.entries()) {
    if (at > 0 && at % stepOf === 0) yield
    if (hosts.has(hostIn(link))) continue
    count++
    const isShown = addresses.length < shownAtMost && link.length <= charactersAtMost
    if (isShown) addresses.push(link)
  }
  return count === 0 ? null : { count, addresses }
}

/** Both together, each address shown once. */
export function bothLeftOut(one: LeftOut | null, other: LeftOut | null): LeftOut | null {
  if (!one || !other) return one ?? other
  const addresses = new Set([...one.addresses, ...other.addresses])
  return { count: one.count + other.count, addresses: [...addresses].slice(0, shownAtMost) }
}

/** The host of the item, and that of its final address. */
function hostsOf(item: Pick<StoredItem, 'url'>, address: string | null): Set<string> {
  return new Set([item.url, address].flatMap((url) => URL.parse(url ?? '')?.host ?? []))
}

/** Links are normalized: to take each apart again would take long. */
function hostIn(link: string): string {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)/.exec(link)?.[1] ?? ''
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
