import type { Standing } from '#src/commons/thread.ts'
import { html } from '#src/core/html/html.ts'
import type { Published, Screen } from '#src/core/html/view.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Terms } from '../ask.ts'
import { publicScreen } from './public-page.ts'

/** Of so many threads, the newest, crawlers are told. */
const threadsAtMost = 50_000
const threadsAPart = 5_000
/** So many are read at once. */
const portion = 500
const xml = 'application/xml; charset=utf-8'
const shared = { freshSeconds: 3600, keptSeconds: 600, isListed: false }

interface Listed {
  id: string
  at: string
}

/** Where crawlers find all public pages: those of the server, and the threads of the Commons in parts. */
export function sitemapIndexScreen(terms: Terms): Screen {
  return publicScreen(terms, async (_, { paths }) => {
    const parts = [terms.paths.address('/sitemap-pages.xml')]
    let count = 0
    for await (const rows of portions(terms, undefined, threadsAtMost)) {
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
    const urls: string[] = []
    for await (const rows of portions(terms, from, threadsAPart)) {
      for (const { id, at } of rows) {
        urls.push(
          html`<url><loc>${paths.address(`/t/${id}`)}</loc><lastmod>${at}</lastmod></url>`.text,
        )
      }
    }
    return document(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>`,
    )
  })
}

/** The listed threads, newest first, read in portions between which others are answered. */
async function* portions(
  { store, clock }: Terms,
  from: string | undefined,
  atMost: number,
): AsyncGenerator<readonly Listed[]> {
  let rest: Filter<Standing> = from === undefined ? {} : { id: { $lte: from } }
  for (let left = atMost; left > 0; left -= portion) {
    const options = { sort: { id: -1 }, limit: Math.min(portion, left) } as const
    const rows = await store.commons_standings.pick(
      ['id', 'last_activity_at'],
      { listed: 1, ...rest },
      options,
    )
    const listed = rows.map(([id, at]) => ({ id: String(id), at: String(at) }))
    if (listed.length > 0) yield listed
    const last = listed.at(-1)
    if (rows.length < options.limit || !last) return
    rest = { id: { $lt: last.id } }
    await turnOf(clock)
  }
}

function document(text: string): Published {
  return { document: `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`, type: xml, shared }
}
