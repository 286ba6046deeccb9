import { html } from '#src/core/html/html.ts'
import type { Published, Screen } from '#src/core/html/view.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Terms } from '../ask.ts'
import { directoryList } from '../market/paths.ts'
import { publicScreen } from './public-page.ts'

/** Of so many threads, the newest, crawlers are told. */
const threadsAtMost = 50_000
const threadsAPart = 5_000
/** So many are read at once. */
const portion = 500
const xml = 'application/xml; charset=utf-8'
const shared = { freshSeconds: 3600, keptSeconds: 600, isListed: false }

/** What is listed, and when it last changed. */
export interface Listed {
  id: string
  at: string
}

/** So many of them, newest first, below an id. */
export type Reading = (below: string | undefined, limit: number) => Promise<Listed[]>

/** Where crawlers find all public pages: those of the server, and the threads of the Commons in parts. */
export function sitemapIndexScreen(terms: Terms): Screen {
  return publicScreen(terms, async (_, { paths }) => {
    const parts = ['/sitemap-pages.xml', directoryList].map((path) => terms.paths.address(path))
    let count = 0
    for await (const rows of portions(terms, threadsBelow(terms), threadsAtMost)) {
      if (count % threadsAPart === 0) {
        const [first] = rows
        parts.push(paths.address(`/sitemap.xml${count === 0 ? '' : `?from=${first?.id}`}`))
      }
      count += rows.length
    }
    const { text } = html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      ${parts.map((part) => html`<sitemap><loc>${part}</loc></sitemap>`)}
    </sitemapindex>`
    return document(text)
  })
}

/** A part of the threads, newest first: from one on, or from the newest. */
export function sitemapScreen(terms: Terms): Screen {
  return publicScreen(terms, async (query, { paths }) => {
    const from = query.get('from')?.slice(0, 64)
    // The first of them is this one itself.
    const start = from === undefined ? undefined : `${from}\0`
    return listOf(terms, threadsBelow(terms), {
      start,
      atMost: threadsAPart,
      address: (id) => paths.address(`/t/${id}`),
    })
  })
}

interface List {
  start?: string | undefined
  atMost: number
  address: (id: string) => string
}

/** A list of addresses for crawlers. */
export async function listOf(terms: Terms, read: Reading, list: List): Promise<Published> {
  const urls: string[] = []
  for await (const rows of portions(terms, read, list.atMost, list.start)) {
    for (const { id, at } of rows) {
      urls.push(html`<url><loc>${list.address(id)}</loc><lastmod>${at}</lastmod></url>`.text)
    }
  }
  return document(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>`,
  )
}

/** The listed threads. */
function threadsBelow({ store }: Terms): Reading {
  return async (below, limit) => {
    const filter = { listed: 1, ...(below !== undefined && { id: { $lt: below } }) }
    const options = { sort: { id: -1 }, limit } as const
    const rows = await store.commons_standings.pick(['id', 'last_activity_at'], filter, options)
    return rows.map(([id, at]) => ({ id: String(id), at: String(at) }))
  }
}

/** What is listed, read in portions between which others are answered. */
async function* portions(
  { clock }: Terms,
  read: Reading,
  atMost: number,
  start?: string,
): AsyncGenerator<readonly Listed[]> {
  let below = start
  for (let left = atMost; left > 0; left -= portion) {
    const limit = Math.min(portion, left)
    const rows = await read(below, limit)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (rows.length < limit || !last) return
    below = last.id
    await turnOf(clock)
  }
}

function document(text: string): Published {
  return { document: `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`, type: xml, shared }
}
