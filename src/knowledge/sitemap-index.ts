import { hash } from 'node:crypto'
import type { Ports } from '#src/core/context.ts'
import { retryAfter } from '#src/events/outbox/retry-schedule.ts'
import type { Extract } from '#src/ports/extractor.ts'
import { readFailure, statusFailure, type ReadFailure } from './failure.ts'
import type { LeftOut, StoredItem } from './item.ts'
import { bothLeftOut, leftOutOf, listedAtMost, ofOwnHost } from './listed.ts'
import { accept, type Fetched } from './fetch.ts'

/** Sitemaps of an index that are read. */
export const sitemapsAtMost = 20

/** An index with the pages that its sitemaps list. */
export interface Unfolded {
  /** The index and its sitemaps together; without validators, as each may change by itself. */
  seen: Fetched
  links: string[]
  left_out: LeftOut | null
}

/**
 * Reads the sitemaps that an index lists on its own host, until there are enough pages. One that cannot be
 * read is left out; an index among them is not followed.
 * @throws ReadFailure if none can be read; Unavailable; the reason of the signal
 */
export async function unfolded(
  ports: Ports,
  item: StoredItem,
  index: Fetched,
  { links }: Extract,
  signal: AbortSignal,
): Promise<Unfolded> {
  const address = index.material?.url ?? null
  const among = (some: readonly string[], most: number): Set<string> =>
    ofOwnHost(ports, item, address, some, most)
  const digests = [index.sha256]
  let bytes = index.bytes ?? 0
  let pages = new Set<string>()
  let left_out = await leftOutOf(ports, item, address, links)
  let failure: ReadFailure | undefined
  for (const url of among(links, sitemapsAtMost)) {
    if (pages.size >= listedAtMost) break
    try {
      const one = await sitemapAt(ports, url, signal)
      digests.push(one.sha256)
      bytes += one.bytes
      pages = among([...pages, ...one.pages], listedAtMost)
      left_out = bothLeftOut(left_out, await leftOutOf(ports, item, address, one.pages))
    } catch (cause) {
      signal.throwIfAborted()
      const why = readFailure(cause)
      if (!why) throw cause
      failure ??= why
    }
  }
  if (digests.length === 1 && failure) throw failure
  const sha256 = hash('sha256', digests.join(' '), 'hex')
  const seen = { ...index, bytes, sha256, etag: null, last_modified: null }
  return { seen, links: [...pages], left_out }
}

async function sitemapAt(
  { sender, extractor, clock }: Ports,
  url: string,
  signal: AbortSignal,
): Promise<{ pages: string[]; bytes: number; sha256: string }> {
  const answer = await sender.load({ method: 'GET', url, headers: { accept }, signal })
  const { status, headers, bytes, address } = answer
  if (status < 200 || status > 299) {
    throw statusFailure(status, retryAfter(headers['retry-after'], clock.now()))
  }
  const mediaType = headers['content-type'] ?? null
  const material = { bytes, mediaType, filename: null, url: address, as: 'sitemap' } as const
  const { links, linksTo } = await extractor.extract(material)
  signal.throwIfAborted()
  const pages = linksTo === 'sitemaps' ? [] : links
  return { pages, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') }
}
