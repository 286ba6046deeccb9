import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { addressOfGuide, guideNames } from '#src/documents/guides/guides.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { read } from '#tests/house/tree.ts'

const publicUrl = 'https://abode.example'
const texts = ['/skill.md', '/auth.md', '/llms.txt', '/llms-full.txt']
const addresses = [addressOfGuide(), ...guideNames.map(addressOfGuide)]

let server: Serving
beforeAll(async () => {
  server = await serving({ PUBLIC_URL: publicUrl }, catalog)
})
afterAll(() => server[Symbol.asyncDispose]())

/** What may be kept of it, and asked for again. */
async function expectKept(path: string): Promise<void> {
  const { headers, text } = await server.ask(path)
  expect(headers.get('cache-control')).toContain('public')
  const tag = headers.get('etag') ?? ''
  const again = await server.ask(path, { headers: { 'if-none-match': tag } })
  expect([again.status, again.text]).toEqual([304, ''])
  const head = await server.ask(path, { method: 'HEAD' })
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag])
  const encoded = await server.ask(path, { headers: { 'accept-encoding': 'gzip' } })
  expect(encoded.headers.get('content-encoding')).toBe('gzip')
  expect(encoded.text).toBe(text)
  expect(encoded.headers.get('access-control-allow-origin')).toBe('*')
  expect((await server.ask(path, { method: 'POST' })).status).toBe(405)
}

describe.each(addresses)('the page %s', (address) => {
  it('is HTML that needs no script, and names its Markdown copy', async () => {
    const { status, headers, text } = await server.ask(address)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).not.toContain('<script')
    expect(text).toContain(`<link rel="alternate" href="${address}.md" type="text/markdown" />`)
    expect(text).toContain(`<a href="${address}.md" rel="alternate" type="text/markdown">`)
    expect(text.match(/<h1\b/g)).toHaveLength(1)
    await expectKept(address)
    expect((await server.ask(`${address}/`)).text).toBe(text)
  })

  it('shows all of its Markdown as markup', async () => {
    const { text } = await server.ask(address)
    const words = text.replaceAll(/<(pre|code|style)\b.*?<\/\1>/gs, '')
    expect(words).not.toMatch(/\*\*|\]\(|```|^\s*\||^#+ |\{base_url\}/m)
    const hrefs = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    for (const href of hrefs) expect(href).toMatch(/^(\/|#|https:\/\/)/)
    const guides = hrefs.filter((href) => /^\/guides\b/.test(href) && href !== `${address}.md`)
    for (const href of guides) expect(href).not.toMatch(/\.md/)
  })

  it('has a copy in Markdown that names the page, with calls to this server', async () => {
    const { status, headers, text } = await server.ask(`${address}.md`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(headers.get('link')).toBe(`<${address}>; rel="alternate"; type="text/html"`)
    expect(text).toMatch(/^# .+\n\n\S/)
    expect(text).not.toMatch(/\{base_url\}|undefined/)
    expect(text).toContain(publicUrl)
    expect(Buffer.byteLength(text)).toBeLessThan(7_000)
    await expectKept(`${address}.md`)
  })
})

describe.each(texts)('%s', (path) => {
  it('is text that may be kept', async () => {
    const { status, headers, text } = await server.ask(path)
    expect(status).toBe(200)
    const type = path.endsWith('.md') ? 'text/markdown' : 'text/plain'
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(text).not.toMatch(/\{base_url\}|undefined|NaN|\[object/)
    await expectKept(path)
  })
})

describe('every link', () => {
  it('of a text leads to something that is there', async () => {
    const pages = [...texts, ...addresses.map((address) => `${address}.md`)]
    const found = new Set<string>()
    for (const path of pages) {
      const { text } = await server.ask(path)
      for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) found.add(link)
      for (const [link] of text.matchAll(/https:\/\/abode\.example\/[\w/.?=&-]*[\w/]/g)) {
        found.add(link)
      }
    }
    expect(found.size).toBeGreaterThan(40)
    const posts = /\/(mcp|a2a|agent-claim|rotate|consult|hooks)\b(?!.*\.json)/
    const own = [...found].filter((link) => link.startsWith(publicUrl) && !posts.test(link))
    const gone: string[] = []
    for (const link of own) {
      const path = link.slice(publicUrl.length).replace(/#.*$/, '')
      // Those of calls have words of the reader's in them, or need a key.
      if (/\bAGENT_ID\b/.test(path)) continue
      if (/^\/api\/(?!operations|limits|conformance|commons\/(boards|search))/.test(path)) continue
      const { status } = await server.ask(path)
      if (status >= 400) gone.push(`${status} ${path}`)
    }
    expect(gone).toEqual([])
    const others = [...found].filter((link) => !link.startsWith(publicUrl) && !link.startsWith('#'))
    expect(others).toEqual(['https://www.standardwebhooks.com'])
  })

  it('to a section leads to a heading of that page', async () => {
    for (const address of addresses) {
      const { text } = await server.ask(address)
      for (const [, path = '', anchor = ''] of text.matchAll(/href="([^"#]*)#([\w-]+)"/g)) {
        const there = path === '' ? text : (await server.ask(path)).text
        expect(there).toContain(`id="${anchor}"`)
      }
    }
  })
})

describe('/llms.txt', () => {
  it('has the form of such files', async () => {
    const { text } = await server.ask('/llms.txt')
    const [head = '', ...sections] = text.split(/^## /m)
    expect(head).toMatch(/^# Abode\n\n> [^\n]+\n\n[^\n]+\n\n$/)
    expect(sections.length).toBe(5)
    expect(sections.at(-1)).toMatch(/^Optional\n/)
    for (const section of sections) {
      const [, ...lines] = section.trim().split('\n')
      const entries = lines.filter((line) => line !== '')
      expect(entries.length).toBeGreaterThan(1)
      for (const line of entries) {
        expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/abode\.example\/[^)\s]+\): \S.*$/)
      }
    }
    for (const name of guideNames) expect(text).toContain(`${publicUrl}/guides/${name}.md`)
    expect(Buffer.byteLength(text)).toBeLessThan(8_000)
  })

  it('and its full form, which holds every page and fits into what an agent reads', async () => {
    const { text } = await server.ask('/llms-full.txt')
    for (const path of ['/skill.md', '/auth.md', '/commons/skill.md']) {
      expect(text).toContain((await server.ask(path)).text.trim())
    }
    for (const name of guideNames) {
      expect(text).toContain((await server.ask(`/guides/${name}.md`)).text.trim())
    }
    expect(Buffer.byteLength(text)).toBeLessThan(90_000)
  })
})

describe('the bare address', () => {
  it('names them, and an old one leads to the guides', async () => {
    const { body, text } = await server.ask('/')
    expect(body).toBeDefined()
    for (const path of ['/skill.md', '/auth.md', '/guides', '/llms.txt', '/llms-full.txt']) {
      expect(text).toContain(`"${publicUrl}${path}"`)
    }
    const docs = await server.ask('/docs', { redirect: 'manual' })
    expect([301, 302, 307, 308]).toContain(docs.status)
    expect(docs.headers.get('location')).toMatch(/\/guides$/)
  })
})

describe('the index', () => {
  it('lists every guide with its title', () => {
    const index = read('docs/guides/index.md')
    for (const name of guideNames) {
      const [, title = ''] = /^# (.+)\n/.exec(read(`docs/guides/${name}.md`)) ?? []
      expect(index).toContain(`. [${title}](${name}.md): `)
    }
  })
})
