import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KnowledgeItem } from '#src/knowledge/item.ts'
import { startEmbeddingServer, type EmbeddingServer } from '#tests/support/embedding-server.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

const slowest = 120_000

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

describe('a process that learns from a site', () => {
  let folder: string
  let site: WebServer
  let provider: EmbeddingServer
  let server: ServerProcess
  let key: string

  const start = (more: Record<string, string> = {}): Promise<ServerProcess> =>
    startServer({
      dataDir: folder,
      env: { ABODE_OUTBOUND_ALLOW: site.origin, ABODE_RATE_LIMITS: 'off', ...more },
    })
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(answer))
    // The test says what it expects of the answer.
    return answer as T
  }
  const base = '/api/characters/ada/knowledge'
  const learn = (url: string): Promise<KnowledgeItem> => call('POST', `${base}/learn`, { url })
  const follow = (url: string, type: string): Promise<KnowledgeItem> =>
    call('POST', `${base}/sources`, { url, type })
  const item = (id: string): Promise<KnowledgeItem> => call('GET', `${base}/${id}`)
  const read = async ({ id }: KnowledgeItem): Promise<KnowledgeItem> => {
    const isRead = async (): Promise<boolean> =>
      !['queued', 'fetching'].includes((await item(id)).status)
    await until(isRead, { seconds: 60, pauseMs: 50 })
    return item(id)
  }
  const titles = async (q: string): Promise<string[]> => {
    const path = `${base}/search?q=${encodeURIComponent(q)}`
    const { items } = await call<{ items: { title: string }[] }>('GET', path)
    return items.map(({ title }) => title)
  }
  const uploads = async (): Promise<string[]> => {
    const found = await readdir(join(folder, 'files'), { recursive: true }).catch(() => [])
    return found.filter((name) => name.includes('kno_'))
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-knowledge-'))
    site = await startWebServer()
    provider = await startEmbeddingServer()
    server = await start()
    key = (await call<{ api_key: string }>('POST', '/api/agent-claim', {})).api_key
    await call('POST', '/api/characters/', { id: 'ada', name: 'Ada' })
  })
  afterAll(async () => {
    await server.dispose()
    site.close()
    provider.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('reads pages, packed ones and ones in another charset too', { timeout: slowest }, async () => {
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
      expect(await read(await learn(url))).toMatchObject({ status: 'indexed', url, error: null })
    }
    expect((await titles('full moon'))[0]).toBe('Tides')
    expect((await titles('envelope'))[0]).toBe('Packed')
    expect((await titles('kocht'))[0]).toBe('Kueche')
    expect(await titles('Menu')).toEqual([])
  })

  it('asks whether a page has changed', { timeout: slowest }, async () => {
    const asked: (string | undefined)[] = []
    const url = site.on('/etag', (request, response) => {
      asked.push(request.headers['if-none-match'])
      response.setHeader('etag', '"one"')
      if (asked.at(-1) === '"one"') response.writeHead(304).end()
      else response.end('It does not change.')
    })
    expect((await read(await learn(url))).status).toBe('indexed')
    expect((await read(await learn(url))).status).toBe('unchanged')
    expect(asked).toEqual([undefined, '"one"'])
  })

  it('follows feeds and sitemaps', { timeout: slowest }, async () => {
    const news = site.on('/feed.xml', (_, response) =>
      response
        .setHeader('content-type', 'application/rss+xml')
        .end(feed(['Storm', 'A storm has torn the nets.'], ['Calm', 'The sea was calm again.'])),
    )
    const source = await read(await follow(news, 'feed'))
    expect(source).toMatchObject({ status: 'indexed', kind: 'source', refresh: 'daily' })
    expect((await titles('torn nets'))[0]).toBe(source.title)
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
    const sitemap = await read(await follow(map, 'sitemap'))
    expect(sitemap).toMatchObject({ status: 'indexed', chunks: 0, refresh: 'weekly' })
    const all = await call<{ items: KnowledgeItem[] }>('GET', `${base}?limit=100`)
    const pages = all.items.filter(({ source_id }) => source_id === sitemap.id)
    expect(new Set(pages.map(({ url }) => url))).toEqual(new Set(listed))
    for (const one of pages) expect((await read(one)).status).toBe('indexed')
    await call('DELETE', `${base}/${sitemap.id}`)
    expect(await titles('buoy')).toEqual([])
  })

  it('gives up what leads inside, drips, or does not end', { timeout: slowest }, async () => {
    const inside = site.on('/inside', (_, response) =>
      response.writeHead(302, { location: server.url }).end(),
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
    const dripping = await learn(drip)
    const faults: Record<string, string> = {
      [inside]: 'address_refused',
      [huge]: 'too_large',
      [bomb]: 'too_large',
    }
    for (const [url, code] of Object.entries(faults)) {
      const failed = await read(await learn(url))
      expect(failed).toMatchObject({ status: 'failed', error: { code }, chunks: 0 })
    }
    // What drips may be quicker another time, so it is tried again.
    const hasLapsed = async (): Promise<boolean> =>
      (await item(dripping.id)).error?.code === 'timeout'
    await until(hasLapsed, { seconds: 60, pauseMs: 200 })
    await call('DELETE', `${base}/${dripping.id}`)
  })

  it('goes on with what a kill has interrupted', { timeout: slowest }, async () => {
    const paragraphs = Array.from(
      { length: 900 },
      (_, n) => `Paragraph ${n} tells of cormorants. ${'word '.repeat(170)}`,
    )
    const content = paragraphs.join('\n\n')
    const text = await call<KnowledgeItem>('POST', `${base}/texts`, { title: 'Long', content })
    await until(async () => (await item(text.id)).status === 'fetching', { pauseMs: 2 })
    await server.end('SIGKILL')
    server = await start()
    expect(await titles('cormorants')).toEqual([])
    const again = await call<KnowledgeItem>('GET', `${base}/${text.id}`)
    expect(again.status).toBe('fetching')
    // Its lease runs out; a second item is not held up by it.
    const short = { title: 'Short', content: 'A short text on cormorants.' }
    const other = await call<KnowledgeItem>('POST', `${base}/texts`, short)
    expect((await read(other)).status).toBe('indexed')
    expect(await titles('cormorants')).toEqual(['Short'])
    const isRead = async (): Promise<boolean> => (await item(text.id)).status === 'indexed'
    await until(isRead, { seconds: 110, pauseMs: 500 })
    expect((await titles('cormorants')).length).toBeGreaterThan(5)
    expect(await uploads()).toEqual([])
  })

  it('finds by meaning what it has learned before', { timeout: slowest }, async () => {
    const url = site.on('/ships', (_, response) => response.end('The ship left in the morning.'))
    await read(await learn(url))
    expect(await titles('vessel')).toEqual([])
    await server.end('SIGTERM')
    server = await start({
      ABODE_EMBEDDING_MODEL: 'openai-compatible/meanings',
      OPENAI_BASE_URL: provider.baseUrl,
    })
    const isFirst = async (): Promise<boolean> => (await titles('vessel'))[0] === url
    await until(isFirst, { seconds: 60, pauseMs: 100 })
  })
})
