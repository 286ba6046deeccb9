import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import type { StoredItem } from '#src/knowledge/item.ts'
import { listedAtMost } from '#src/knowledge/listed.ts'
import { sitemapsAtMost } from '#src/knowledge/sitemap-index.ts'
import { oneStore } from '#tests/support/stores.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { openLibrary, type Library } from './library.ts'
import { settled } from './settled.ts'

const ns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const locations = (tag: string, urls: readonly string[]): string =>
  urls.map((url) => `<${tag}><loc>${url}</loc></${tag}>`).join('')
const mapOf = (...urls: string[]): string => `<urlset ${ns}>${locations('url', urls)}</urlset>`
const indexOf = (...urls: string[]): string =>
  `<sitemapindex ${ns}>${locations('sitemap', urls)}</sitemapindex>`

describe.each(oneStore())('an index of sitemaps on $name', (kind) => {
  let site: WebServer
  let library: Library
  let asked: string[]

  beforeEach(async () => {
    site = await startWebServer()
    asked = []
    const sender = openSender({ allow: [site.origin], userAgent: 'Abode/test' })
    library = await openLibrary(kind, { sender })
  })
  afterEach(async () => {
    await library.close()
    site.close()
  })

  const at = (path: string): string => site.origin + path
  const on = (path: string, body: () => string | number): string =>
    site.on(path, (_, response) => {
      asked.push(path)
      const answer = body()
      if (typeof answer === 'number') return response.writeHead(answer).end()
      return response
        .setHeader('content-type', 'application/xml')
        .setHeader('etag', '"1"')
        .end(answer)
    })
  const follow = async (url: string): Promise<StoredItem> => {
    const item = await library.ask('knowledge.sources.add', { url, type: 'sitemap' })
    const [read] = await settled(library.world.ports, [item.id])
    return read ?? library.item(item.id)
  }
  const pages = async (): Promise<string[]> => {
    const listed = { source_id: { $gt: '' } }
    const items = await library.store.knowledge_items.find(listed)
    const paths = items.map(({ url }) => url?.slice(site.origin.length) ?? '')
    return paths.toSorted((a, b) => (a < b ? -1 : 1))
  }

  it('has the pages of its sitemaps, as its own, and none of the sitemaps', async () => {
    on('/a.xml', () => mapOf(at('/1'), at('/2'), 'https://elsewhere.example/page'))
    on('/b.xml', () => mapOf(at('/2'), at('/3')))
    on('/gone.xml', () => 404)
    on('/deeper.xml', () => indexOf(at('/a.xml')))
    const inside = ['http://127.0.0.1:1/inside.xml', 'https://elsewhere.example/map.xml']
    const all = ['/a.xml', '/gone.xml', '/deeper.xml', '/b.xml'].map(at)
    const source = await follow(on('/index.xml', () => indexOf(...inside, ...all)))
    expect(source).toMatchObject({ status: 'indexed', error: null, etag: null })
    const shown = await library.ask('knowledge.get', { item_id: source.id })
    const addresses = [...inside, 'https://elsewhere.example/page']
    expect(shown.left_out).toEqual({ count: 3, addresses })
    expect(await pages()).toEqual(['/1', '/2', '/3'])
    expect(asked.slice(0, 5)).toEqual(['/index.xml', ...all.map((url) => new URL(url).pathname)])
    const before = await library.bytes()
    await library.ask('knowledge.delete', { item_id: source.id })
    expect(await pages()).toEqual([])
    expect(await library.bytes()).toBeLessThan(before)
  })

  it('and a sitemap tell what they leave out on other hosts: how many, and the first five', async () => {
    const others = Array.from({ length: 30_000 }, (_, n) => `https://elsewhere.example/${n}`)
    let listed = [at('/1'), ...others]
    const { id } = await follow(on('/own.xml', () => mapOf(...listed)))
    const shown = () => library.ask('knowledge.get', { item_id: id })
    expect(await shown()).toMatchObject({
      left_out: { count: 30_000, addresses: others.slice(0, 5) },
    })
    expect(await pages()).toEqual(['/1'])
    listed = [at('/1'), `https://elsewhere.example/${'x'.repeat(600)}`]
    await follow(at('/own.xml'))
    expect(await shown()).toMatchObject({ left_out: { count: 1, addresses: [] } })
    listed = [at('/1')]
    await follow(at('/own.xml'))
    expect(await shown()).toMatchObject({ left_out: null })
  })

  it('is unchanged while all of it is, and read again when one sitemap changes', async () => {
    let more: string[] = []
    on('/a.xml', () => mapOf(at('/1'), ...more))
    const url = on('/index.xml', () => indexOf(at('/a.xml')))
    const first = await follow(url)
    const second = await follow(url)
    expect(second).toMatchObject({ status: 'unchanged', sha256: first.sha256, bytes: first.bytes })
    more = [at('/2')]
    const third = await follow(url)
    expect(third.status).toBe('indexed')
    expect(third.sha256).not.toBe(first.sha256)
    expect(await pages()).toEqual(['/1', '/2'])
  })

  it('fails where none of its sitemaps can be read', async () => {
    on('/a.xml', () => 410)
    on('/b.xml', () => 'no sitemap')
    const read = await follow(on('/index.xml', () => indexOf(at('/a.xml'), at('/b.xml'))))
    expect(read).toMatchObject({ status: 'failed', error: { code: 'http_status' } })
    expect(await pages()).toEqual([])
  })

  it('ends at as many pages as are taken, and at as many sitemaps as are read', async () => {
    const many = Array.from({ length: listedAtMost + 50 }, (_, n) => at(`/page-${n}`))
    on('/many.xml', () => mapOf(...many))
    on('/after.xml', () => mapOf(at('/after')))
    await follow(on('/index.xml', () => indexOf(at('/many.xml'), at('/after.xml'))))
    expect(await pages()).toHaveLength(listedAtMost)
    expect(asked).not.toContain('/after.xml')
    const few = Array.from({ length: sitemapsAtMost + 5 }, (_, n) => `/few-${n}.xml`)
    for (const path of few) on(path, () => mapOf(at(`${path}.html`)))
    await follow(on('/wide.xml', () => indexOf(...few.map(at))))
    expect(asked.filter((path) => path.startsWith('/few-') && path.endsWith('.xml'))).toEqual(
      few.slice(0, sitemapsAtMost),
    )
  })
})
