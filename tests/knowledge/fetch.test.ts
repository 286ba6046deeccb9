import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import type { KnowledgeItem, StoredItem } from '#src/knowledge/item.ts'
import { tryAgainSeconds } from '#src/knowledge/finish-read.ts'
import { librarian, type Librarian } from '#src/work/knowledge.ts'
import { oneStore } from '#tests/support/stores.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { until } from '#tests/support/until.ts'
import { openLibrary, type Library } from './library.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

const html = (title: string, ...paragraphs: string[]): Answer => {
  const body = paragraphs.map((text) => `<p>${text}</p>`).join('\n\n')
  const page = `<html><head><title>${title}</title></head><body><main>\n\n${body}\n\n</main></body></html>`
  return (_, response) => response.setHeader('content-type', 'text/html').end(page)
}

describe.each(oneStore())('knowledge from addresses on $name', (kind) => {
  let site: WebServer
  let library: Library
  let reader: Librarian
  let requests: IncomingMessage[]

  beforeEach(async () => {
    site = await startWebServer()
    requests = []
    const sender = openSender({
      allow: [site.origin],
      userAgent: 'Abode/test',
      // As a resolver that a site owner controls would answer.
      lookup: (_, options, done) =>
        options.all ? done(null, [{ address: '10.0.0.7', family: 4 }]) : done(null, '10.0.0.7', 4),
    })
    library = await openLibrary(kind, { sender })
    reader = librarian(library.world.ports, () => undefined)
  })
  afterEach(async () => {
    await reader.stop()
    await library.close()
    site.close()
  })

  const on = (path: string, answer: Answer): string =>
    site.on(path, (request, response) => {
      requests.push(request)
      return answer(request, response)
    })
  const learn = (url: string, more: object = {}): Promise<KnowledgeItem> =>
    library.ask('knowledge.learn', { url, ...more })
  const follow = (url: string, type: string): Promise<KnowledgeItem> =>
    library.ask('knowledge.sources.add', { url, type })
  /** Reads what is due now, to its end. */
  const read = async (): Promise<void> => {
    await reader.tick()
    await until(async () => {
      await reader.tick()
      return (await library.store.knowledge_items.count({ status: 'fetching' })) === 0
    })
  }
  const readOne = async (url: string, more: object = {}): Promise<StoredItem> => {
    const { id } = await learn(url, more)
    await read()
    return library.item(id)
  }
  it('reads a page and finds what it says', async () => {
    const { clock, item, search } = library
    const url = on('/tides', html('Tides', 'Spring tides follow the full moon.'))
    const { id } = await learn(url)
    await read()
    expect(await item(id)).toMatchObject({
      status: 'indexed',
      title: 'Tides',
      url,
      media_type: 'text/html',
      error: null,
      fetched_at: clock.now().toISOString(),
      queue: null,
      due_at: null,
      claim: null,
      attempts: 0,
    })
    expect(await search('full moon')).toMatchObject([{ item_id: id, title: 'Tides', url }])
    expect(requests[0]?.headers.accept).toContain('text/html')
  })

  it('keeps no cookies and sends none', async () => {
    const url = on('/cookie', (_, response) => {
      response.setHeader('set-cookie', 'a=b').end('A page with a cookie.')
    })
    await readOne(url)
    await readOne(url)
    expect(requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
  })

  it('asks whether a page has changed, and leaves what it knows where it has not', async () => {
    const { store, clock, search } = library
    let text = 'The first edition speaks of gulls.'
    const url = on('/news', (request, response) => {
      const etag = `"${text.length}"`
      response.setHeader('etag', etag)
      if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
      return response.setHeader('content-type', 'text/plain').end(text)
    })
    const first = await readOne(url)
    expect(first.status).toBe('indexed')
    await clock.advance(1000)
    const second = await readOne(url)
    expect(requests[1]?.headers['if-none-match']).toBe(first.etag)
    const { edition, sha256, chunks, bytes } = first
    expect(second).toMatchObject({ status: 'unchanged', edition, sha256, chunks, bytes })
    expect(second.fetched_at).toBe(clock.now().toISOString())
    expect(await search('gulls')).toHaveLength(1)
    text = 'The second edition speaks of herons only.'
    const third = await readOne(url)
    expect(third.status).toBe('indexed')
    expect(third.edition).not.toBe(edition)
    expect(await search('gulls')).toEqual([])
    expect(await search('herons')).toHaveLength(1)
    await until(async () => {
      await reader.tick()
      return (await store.knowledge_remains.count({})) === 0
    })
    expect(await store.knowledge_chunks.count({})).toBe(1)
  })

  it('takes the same bytes for no change, regardless of the headers', async () => {
    const url = on('/same', (_, response) => response.end('Always the same words.'))
    const first = await readOne(url)
    expect(await readOne(url)).toMatchObject({ status: 'unchanged', edition: first.edition })
    // Read in another way it may be another text.
    expect(await readOne(url, { source_type: 'feed' })).not.toMatchObject({ status: 'unchanged' })
  })

  it('does not take a 304 that it has not asked for', async () => {
    const url = on('/odd', (_, response) => response.writeHead(304).end())
    expect(await readOne(url)).toMatchObject({ status: 'failed', error: { code: 'http_status' } })
  })

  it('follows redirects, and none that leads inside', async () => {
    on('/new', html('New', 'It has moved here.'))
    const to = (path: string, location: string): string =>
      on(path, (_, response) => response.writeHead(302, { location }).end())
    expect(await readOne(to('/old', '/new'))).toMatchObject({ status: 'indexed', title: 'New' })
    for (const [i, inside] of [
      'http://127.0.0.1:1/',
      'http://169.254.169.254/latest/',
      'http://[::ffff:10.0.0.1]/',
      'http://2130706433/',
      'http://metadata.google.internal/',
    ].entries()) {
      const refused = await readOne(to(`/in${i}`, inside))
      expect(refused).toMatchObject({ status: 'failed', error: { code: 'address_refused' } })
      expect(refused.error?.message).not.toContain(inside)
    }
    const round = await readOne(to('/round', '/round'))
    expect(round).toMatchObject({ status: 'failed', error: { code: 'too_many_redirects' } })
  })

  it('does not call a name that leads inside', async () => {
    const refused = await readOne('http://harmless.example/')
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'address_refused' } })
  })

  it('gives a page up that says that it is not there', async () => {
    const url = on('/gone', (_, response) => response.writeHead(404).end('marker-words'))
    const gone = await readOne(url)
    expect(gone).toMatchObject({ status: 'failed', chunks: 0, attempts: 0, queue: null })
    expect(gone.error).toEqual({
      code: 'http_status',
      message: 'The address answered with status 404.',
    })
  })

  it('gives a body up that does not end', async () => {
    const url = on('/endless', (_, response) => {
      const more = (): void => {
        while (response.write('endless words '.repeat(8000)));
      }
      response.on('drain', more)
      more()
    })
    expect(await readOne(url)).toMatchObject({ status: 'failed', error: { code: 'too_large' } })
  })

  it('tries again after what may pass, later and later, and then no more', async () => {
    const { clock, item } = library
    const url = on('/busy', (_, response) => response.writeHead(503).end())
    const { id } = await learn(url)
    await read()
    for (const [i, seconds] of tryAgainSeconds.entries()) {
      expect(await item(id)).toMatchObject({
        status: 'queued',
        attempts: i + 1,
        error: { code: 'http_status' },
      })
      await clock.advance((seconds - 1) * 1000)
      await read()
      expect(requests).toHaveLength(i + 1)
      await clock.advance(1000)
      await read()
    }
    expect(await item(id)).toMatchObject({ status: 'failed', error: { code: 'http_status' } })
    expect(requests).toHaveLength(tryAgainSeconds.length + 1)
    await clock.advance(86_400_000)
    await read()
    expect(requests).toHaveLength(tryAgainSeconds.length + 1)
  })

  it('waits as long as it is asked to', async () => {
    const { clock, item } = library
    let isBusy = true
    const url = on('/later', (_, response) =>
      isBusy
        ? response.writeHead(429, { 'retry-after': '90' }).end()
        : response.end('At last it speaks.'),
    )
    const { id } = await learn(url)
    await read()
    isBusy = false
    await clock.advance(89_000)
    await read()
    expect(requests).toHaveLength(1)
    await clock.advance(1000)
    await read()
    expect(await item(id)).toMatchObject({ status: 'indexed', error: null })
  })

  it('finds what it knew of a page that has gone', async () => {
    const { search } = library
    let isThere = true
    const url = on('/brief', (_, response) =>
      isThere ? response.end('Once there was an albatross.') : response.writeHead(410).end(),
    )
    const before = await readOne(url)
    isThere = false
    const after = await readOne(url)
    expect(after).toMatchObject({ status: 'failed', edition: before.edition, chunks: 1 })
    expect(await search('albatross')).toHaveLength(1)
  })

  it('reads sources again and again, each in its time', async () => {
    const { clock, item } = library
    const url = on('/feed', (_, response) => response.end(`Entry ${requests.length}.`))
    const { id } = await follow(url, 'web')
    const other = await learn(on('/once', (_, response) => response.end('Once only.')))
    await read()
    expect(requests).toHaveLength(2)
    expect((await item(other.id)).refresh_at).toBeNull()
    const { refresh_at } = await item(id)
    const days = (Date.parse(refresh_at ?? '') - clock.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThanOrEqual(7)
    expect(days).toBeLessThanOrEqual(7.7)
    await clock.advance(7.8 * 86_400_000)
    await read()
    expect(requests).toHaveLength(3)
    expect(await item(id)).toMatchObject({ status: 'indexed', kind: 'source' })
    expect((await item(id)).refresh_at).not.toBe(refresh_at)
  })

  it('makes items of the pages of a sitemap, of its own host alone and each once', async () => {
    const { store, search } = library
    const known = await learn(on('/a', html('A', 'The page of the anchor.')))
    const paths = ['/a', '/b', '/c', '/b']
    for (const path of ['/b', '/c']) on(path, html(path, `The page ${path.slice(1)} of buoys.`))
    const locs = [
      ...paths.map((path) => site.origin + path),
      'http://127.0.0.1:1/inside',
      'https://elsewhere.example/page',
    ].map((loc) => `<url><loc>${loc}</loc></url>`)
    const ns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    const map = `<?xml version="1.0"?><urlset ${ns}>${locs.join('')}</urlset>`
    const url = on('/sitemap.xml', (_, response) =>
      response.setHeader('content-type', 'application/xml').end(map),
    )
    const source = await follow(url, 'sitemap')
    await read()
    await read()
    const items = await store.knowledge_items.find({}, { sort: { id: 1 } })
    const shown = items.map(({ kind: what, url: at, status, source_id, refresh }) => {
      return { what, at: at?.slice(site.origin.length), status, source_id, refresh }
    })
    const listed = { what: 'url', status: 'indexed', source_id: source.id, refresh: 'weekly' }
    expect(shown).toEqual([
      { what: 'url', at: '/a', status: 'indexed', source_id: null, refresh: 'none' },
      { what: 'source', at: '/sitemap.xml', status: 'indexed', source_id: null, refresh: 'weekly' },
      { ...listed, at: '/b' },
      { ...listed, at: '/c' },
    ])
    const shelf = await store.knowledge_shelves.get('ada')
    expect(shelf).toMatchObject({ items: 4 })
    await library.ask('knowledge.delete', { item_id: source.id })
    expect((await store.knowledge_items.find({})).map(({ id }) => id)).toEqual([known.id])
    expect(await search('buoys')).toEqual([])
    expect(await search('anchor')).toHaveLength(1)
  })
})
