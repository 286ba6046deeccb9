import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KnowledgeItem } from '#src/knowledge/item.ts'
import type { Store } from '#src/ports/store.ts'
import { startEmbeddingServer } from '#tests/support/embedding-server.ts'
import { isLong } from '#tests/support/long-tests.ts'
import { until } from '#tests/support/until.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { Learner } from './learner.ts'

const slowest = 300_000

const page = (title: string, text: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><nav>Menu</nav>` +
  `<main><h1>${title}</h1><p>${text}</p></main></body></html>`

const feed = (...entries: [title: string, text: string][]): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News of the harbour</title>` +
  entries
    .map(
      ([title, text], n) =>
        `<item><title>${title}</title><link>https://news.example/${n}</link>` +
        `<description>${text}</description></item>`,
    )
    .join('') +
  '</channel></rss>'

describe.concurrent('a process that learns from a site', { timeout: slowest }, () => {
  let site: WebServer
  let learner: Learner
  beforeAll(async () => {
    site = await startWebServer()
    learner = await Learner.start(site.origin)
  })
  afterAll(async () => {
    await learner.dispose()
    site.close()
  })

  it('reads pages, packed ones and ones in another charset too', async () => {
    const plain = site.on('/tides', (_, response) =>
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(page('Tides', 'Spring tides follow the full moon.')),
    )
    const packed = site.on('/packed', (_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .setHeader('content-encoding', 'gzip')
        .end(gzipSync(page('Packed', 'A letter in an envelope.'))),
    )
    // It says one charset, and is in another.
    const wrong = site.on('/wrong', (_, response) =>
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(Buffer.from(page('Kueche', 'Die Köchin kocht für alle Gäste.'), 'latin1')),
    )
    for (const url of [plain, packed, wrong]) {
      expect(await learner.read(await learner.learn(url))).toMatchObject({
        status: 'indexed',
        url,
        error: null,
      })
    }
    expect((await learner.titles('full moon'))[0]).toBe('Tides')
    expect((await learner.titles('envelope'))[0]).toBe('Packed')
    expect((await learner.titles('kocht'))[0]).toBe('Kueche')
    expect(await learner.titles('Menu')).toEqual([])
  })

  it('asks whether a page has changed', async () => {
    const asked: (string | undefined)[] = []
    const url = site.on('/etag', (request, response) => {
      asked.push(request.headers['if-none-match'])
      response.setHeader('etag', '"one"')
      if (asked.at(-1) === '"one"') response.writeHead(304).end()
      else response.end('It does not change.')
    })
    expect((await learner.read(await learner.learn(url))).status).toBe('indexed')
    expect((await learner.read(await learner.learn(url))).status).toBe('unchanged')
    expect(asked).toEqual([undefined, '"one"'])
  })

  it('follows feeds and sitemaps', async () => {
    const news = site.on('/feed.xml', (_, response) =>
      response
        .setHeader('content-type', 'application/rss+xml')
        .end(feed(['Storm', 'A storm has torn the nets.'], ['Calm', 'The sea was calm again.'])),
    )
    const source = await learner.read(await learner.follow(news, 'feed'))
    expect(source).toMatchObject({ status: 'indexed', kind: 'source', refresh: 'daily' })
    expect((await learner.titles('torn nets'))[0]).toBe(source.title)
    const listed = ['one', 'two'].map((name) =>
      site.on(`/listed/${name}`, (_, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(page(`Page ${name}`, `Here is buoy ${name}.`)),
      ),
    )
    const locs = [...listed, 'http://127.0.0.1:9/inside', 'https://elsewhere.example/'].map(
      (loc) => `<url><loc>${loc}</loc></url>`,
    )
    const map = site.on('/sitemap.xml', (_, response) =>
      response
        .setHeader('content-type', 'application/xml')
        .end(
          `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join('')}</urlset>`,
        ),
    )
    const sitemap = await learner.read(await learner.follow(map, 'sitemap'))
    expect(sitemap).toMatchObject({ status: 'indexed', chunks: 0, refresh: 'weekly' })
    const all = await learner.items()
    const pages = all.items.filter(({ source_id }) => source_id === sitemap.id)
    expect(new Set(pages.map(({ url }) => url))).toEqual(new Set(listed))
    for (const one of pages) expect((await learner.read(one)).status).toBe('indexed')
    await learner.forget(sitemap)
    expect(await learner.titles('buoy')).toEqual([])
  })

  it('gives up what leads inside, drips, or does not end', async () => {
    const inside = site.on('/inside', (_, response) =>
      response.writeHead(302, { location: learner.url }).end(),
    )
    const endless = (text: string, pauseMs: number) => (_: unknown, response: ServerResponse) => {
      const more = (): void => {
        if (response.destroyed) return
        const isRoom = response.write(text)
        if (pauseMs > 0) setTimeout(more, pauseMs)
        else if (isRoom) setImmediate(more)
        else response.once('drain', more)
      }
      more()
    }
    const huge = site.on('/huge', endless('a gigabyte of words '.repeat(4096), 0))
    const drip = site.on('/drip', endless('.', 200))
    const bomb = site.on('/bomb', (_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(64 * 2 ** 20, 'a'))),
    )
    const dripping = await learner.learn(drip)
    const faults: Record<string, string> = {
      [inside]: 'address_refused',
      [huge]: 'too_large',
      [bomb]: 'too_large',
    }
    for (const [url, code] of Object.entries(faults)) {
      const failed = await learner.read(await learner.learn(url))
      expect(failed).toMatchObject({ status: 'failed', error: { code }, chunks: 0 })
    }
    // What drips may be quicker another time, so it is tried again.
    const hasLapsed = async (): Promise<boolean> =>
      (await learner.item(dripping.id)).error?.code === 'timeout'
    await until(hasLapsed, { seconds: 200, pauseMs: 200 })
    await learner.forget(dripping)
  })
})

describe.concurrent('a process that is ended and started again', { timeout: slowest }, () => {
  it('goes on with what a kill has interrupted', async ({ onTestFinished }) => {
    const learner = await Learner.start()
    onTestFinished(() => learner.dispose())
    const paragraphs = Array.from(
      { length: 900 },
      (_, n) => `Paragraph ${n} tells of cormorants. ${'word '.repeat(170)}`,
    )
    const text = await learner.note('Long', paragraphs.join('\n\n'))
    const isBegun = async (): Promise<boolean> =>
      (await learner.item(text.id)).status === 'fetching'
    await until(isBegun, { pauseMs: 2 })
    await learner.restart('SIGKILL')
    expect(await learner.titles('cormorants')).toEqual([])
    expect((await learner.item(text.id)).status).toBe('fetching')
    // Its lease is not out yet; a second item is not held up by it.
    const other = await learner.note('Short', 'A short text on cormorants.')
    expect((await learner.read(other)).status).toBe('indexed')
    expect(await learner.titles('cormorants')).toEqual(['Short'])
    // In the long form it runs out by itself.
    if (!isLong) await learner.inStore((store) => lapse(store, text))
    const isRead = async (): Promise<boolean> => (await learner.item(text.id)).status === 'indexed'
    await until(isRead, { seconds: 200, pauseMs: 100 })
    expect((await learner.titles('cormorants')).length).toBeGreaterThan(5)
    expect(await learner.uploads()).toEqual([])
  })

  it('finds by meaning what it has learned before', async ({ onTestFinished }) => {
    const site = await startWebServer()
    const provider = await startEmbeddingServer()
    const learner = await Learner.start(site.origin)
    onTestFinished(async () => {
      await learner.dispose()
      site.close()
      provider.close()
    })
    const url = site.on('/ships', (_, response) => response.end('The ship left in the morning.'))
    await learner.read(await learner.learn(url))
    expect(await learner.titles('vessel')).toEqual([])
    const model = 'openai-compatible/meanings'
    const settings = { ABODE_EMBEDDING_MODEL: model, OPENAI_BASE_URL: provider.baseUrl }
    await learner.restart('SIGTERM', settings)
    // What a search has loaded may be used for ten seconds more: none is made before there is all.
    await learner.inStore((store) => {
      const isEmbedded = async (): Promise<boolean> =>
        (await store.knowledge_items.count({ embedded: model })) === 1
      return until(isEmbedded, { pauseMs: 20 })
    })
    expect((await learner.titles('vessel'))[0]).toBe(url)
  })
})

/** Lets the lease run out that a killed process had on an item. */
async function lapse(store: Store, { id }: KnowledgeItem): Promise<void> {
  const due_at = (await store.now()).toISOString()
  const held = { id, status: 'fetching', due_at: { $gt: due_at } } as const
  expect(await store.knowledge_items.update(held, { $set: { due_at } })).toBeDefined()
}
