import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentPages } from '#adapters/compose/documents.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { catalog } from '#src/catalog.ts'

const publicUrl = 'https://abode.test'
let server: Serving
let paths: string[]
beforeAll(async () => {
  server = await serving({ PUBLIC_URL: publicUrl, ABODE_RATE_LIMITS: 'off' }, catalog)
  paths = publishedBy(server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** The table is asked for its addresses; no page of it is made. */
function publishedBy({ abode }: Serving): string[] {
  const none = () => Promise.reject(new Error('no door is opened'))
  const doors = { mcp: none, a2a: none, commonsMcp: none, commonsA2a: none, close: none }
  // What else doors have is not asked for its addresses either.
  return [...documentPages(abode.ports, doors as never).keys()]
}

describe('the published documents', () => {
  it('are all that the interface names', () => {
    for (const path of [
      '/',
      '/openapi.agent.json',
      '/api-reference',
      '/skill.md',
      '/commons/skill.md',
      '/.well-known/agents.json',
      '/.well-known/ai-plugin.json',
      '/.well-known/agent-card.json',
      '/llms.txt',
      '/llms-full.txt',
      '/auth.md',
      '/guides',
      '/docs',
      '/robots.txt',
      '/sitemap-pages.xml',
    ]) {
      expect(paths).toContain(path)
    }
  })

  it('are small enough to be read, in bytes', async () => {
    const bounds: Readonly<Record<string, number>> = {
      '/': 1_200,
      '/skill.md': 10_000,
      '/commons/skill.md': 10_000,
      '/auth.md': 9_000,
      '/llms.txt': 8_000,
      '/llms-full.txt': 90_000,
      '/commons/errors.md': 10_000,
      '/.well-known/agents.json': 16_000,
      '/.well-known/ai-plugin.json': 2_200,
      '/.well-known/agent-card.json': 8_000,
      '/a2a/.well-known/agent-card.json': 8_000,
      '/api-reference.md': 32_000,
      '/openapi.agent.json': 950_000,
    }
    const sized = paths.filter(
      (path) => path in bounds || /^\/(?:guides|api-reference).*\.md$/.test(path),
    )
    for (const path of sized) {
      const most = bounds[path] ?? (path.startsWith('/guides') ? 7_000 : 90_000)
      expect([path, Buffer.byteLength((await server.ask(path)).text) <= most]).toEqual([path, true])
    }
    expect(sized.length).toBeGreaterThan(35)
  })

  it('are each kept by a tag, compressed, and open to every origin', async () => {
    for (const path of paths.filter((one) => one !== '/docs')) {
      const page = await server.ask(path, { headers: { 'accept-encoding': 'identity' } })
      expect([path, page.status]).toEqual([path, 200])
      expect(page.text.length, path).toBeGreaterThan(0)
      expect(page.headers.get('cache-control'), path).toMatch(/^public, max-age=\d+$/)
      expect(page.headers.get('access-control-allow-origin'), path).toBe('*')
      expect(page.headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(page.headers.get('set-cookie'), path).toBe(null)
      const tag = page.headers.get('etag') ?? ''
      expect(tag, path).toMatch(/^(W\/)?".+"$/)
      const again = await server.ask(path, { headers: { 'if-none-match': tag } })
      expect([path, again.status, again.text]).toEqual([path, 304, ''])
      const plain = { 'accept-encoding': 'identity' }
      const head = await server.ask(path, { method: 'HEAD', headers: plain })
      expect([path, head.status, head.text]).toEqual([path, 200, ''])
      expect(head.headers.get('etag'), path).toBe(tag)
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(page.text)))
      const packed = await server.ask(path, { headers: { 'accept-encoding': 'br' } })
      expect(packed.text, path).toBe(page.text)
      const isLarge = page.text.length >= 1024
      expect([path, packed.headers.get('content-encoding')]).toEqual([path, isLarge ? 'br' : null])
      // The front door of browsers stands there too, and has a form.
      if (path === '/') continue
      const posted = await server.ask(path, { method: 'POST' })
      expect([path, posted.status]).toEqual([path, 405])
    }
  })

  it('name every door of A2A with its final slash', async () => {
    for (const path of paths.filter((one) => one !== '/docs')) {
      const { text } = await server.ask(path)
      // Clients look for the card of a door relative to its address.
      const bare = text.match(/(?<!application)\/a2a(?:\/[\w{}$-]+)?(?![\w/{}$.+-])/g)
      expect([path, bare]).toEqual([path, null])
    }
  })

  it('name this server by its public address, and no other', async () => {
    for (const path of paths.filter((one) => one !== '/docs')) {
      const { text } = await server.ask(path)
      expect(text, path).not.toContain('{base_url}')
      expect(text, path).not.toContain(server.url)
    }
  })

  it('lead on where others have what is here under another name', async () => {
    const docs = await server.ask('/docs', { redirect: 'manual' })
    expect([docs.status, docs.headers.get('location')]).toEqual([308, '/guides'])
    expect((await server.ask('/docs')).status).toBe(200)
    for (const [path, meant] of Object.entries({
      '/redoc': '/api-reference',
      '/openapi.json': '/openapi.agent.json',
      '/api/openapi.json': '/openapi.agent.json',
      '/api/docs': '/api-reference',
      '/docs/api': '/api-reference',
      '/api/v1/docs/': '/api-reference',
      '/api-docs': '/api-reference',
    })) {
      const { status, body } = await server.ask(path)
      expect([status, body.code]).toEqual([404, 'path_not_found'])
      expect(body.hint).toContain(`Did you mean ${meant}?`)
    }
    const { body } = await server.ask('/nowhere-at-all')
    for (const path of ['/openapi.agent.json', '/api-reference', '/llms.txt']) {
      expect(body.hint).toContain(path)
    }
  })

  it('are found from the bare address, by links that work', async () => {
    const { headers, text } = await server.ask('/')
    const link = headers.get('link') ?? ''
    expect(link).toContain('</openapi.agent.json>; rel="service-desc"')
    expect(link).toContain('</api-reference>; rel="service-doc"')
    const { links } = JSON.parse(text) as { links: Record<string, string> }
    for (const path of ['/.well-known/agents.json', '/.well-known/ai-plugin.json']) {
      const { body } = await server.ask(path)
      expect(body).toMatchObject({ links })
    }
    for (const [name, url] of Object.entries(links)) {
      const { status } = await server.ask(url.slice(publicUrl.length))
      // Doors and the claim are for POST.
      expect([name, [200, 405].includes(status)]).toEqual([name, true])
    }
  })

  it('are all that the sitemap lists, and robots may read them', async () => {
    const { text } = await server.ask('/sitemap-pages.xml')
    const listed = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url)
    expect(listed.length).toBeGreaterThan(20)
    for (const url of listed) expect(paths).toContain(url.slice(publicUrl.length) || '/')
    const robots = (await server.ask('/robots.txt')).text
    expect(robots).toContain(`Sitemap: ${publicUrl}/sitemap.xml`)
    for (const [, start = ''] of robots.matchAll(/^Disallow: (.*)$/gm)) {
      expect(paths.filter((path) => path.startsWith(start))).toEqual([])
    }
  })
})

describe('a service that is reached below a path of its own', () => {
  const below = 'https://abode.test/its$&own'
  let placed: Serving
  beforeAll(async () => {
    placed = await serving({ PUBLIC_URL: below, ABODE_RATE_LIMITS: 'off' }, catalog)
  })
  afterAll(() => placed[Symbol.asyncDispose]())

  it('leads nowhere else', async () => {
    for (const path of publishedBy(placed)) {
      const { headers, text } = await placed.ask(path, { redirect: 'manual' })
      expect(text, path).not.toContain('{base_url}')
      const isPage = headers.get('content-type')?.startsWith('text/html') === true
      const links = [
        ...(isPage ? text.matchAll(/ (?:href|action)="(\/[^"]*)"/g) : []),
        ...(headers.get('link') ?? '').matchAll(/<(\/[^>]*)>/g),
        ...(headers.get('location') ?? '').matchAll(/^(.+)$/g),
      ].map(([, link = '']) => link.replaceAll('&amp;', '&'))
      expect(links.length > 0, path).toBe(
        isPage || ['/', '/docs'].includes(path) || path.startsWith('/guides'),
      )
      for (const link of links) {
        expect([path, link.startsWith('/its$&own/')]).toEqual([path, true])
      }
    }
  })
})

describe('every published document', () => {
  it('is the same, byte for byte, whichever process makes it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'abode-documents-'))
    const env = { PUBLIC_URL: publicUrl, ABODE_RATE_LIMITS: 'off', ABODE_LOG_LEVEL: 'info' }
    const read = async (order: readonly string[]): Promise<Map<string, string>> => {
      let started: ServerProcess | undefined
      try {
        started = await startServer({ dataDir, env })
        const found = new Map<string, string>()
        for (const path of order) {
          const response = await fetch(started.url + path, { redirect: 'manual' })
          found.set(path, `${response.headers.get('etag')} ${await response.text()}`)
        }
        return found
      } finally {
        await started?.dispose()
      }
    }
    try {
      const first = await read(paths)
      const second = await read(paths.toReversed())
      for (const path of paths) expect([path, second.get(path)]).toEqual([path, first.get(path)])
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
