import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Thread } from '#src/commons/thread.ts'
import { prose } from '#tests/bench/prose.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { tabsOf } from '#tests/support/browser/tabs.ts'
import { served } from '#tests/support/served/served.ts'
import { memberAt, openForum, type Member } from './forum.ts'
import { hostile } from './hostile.ts'

const server = served({ env: openForum })
const title = `<b>x</b> ${'W'.repeat(280)}`
let evil: Member
let thread: string

const posted = (body: string, heading: string, tags: string[] = []) =>
  evil.on<Thread>('POST', '/threads', { board: 'general', title: heading, body, tags })

/** The pages of a thread one after the other, each with its path. */
async function pagesOf(id: string): Promise<{ path: string; text: string }[]> {
  const pages: { path: string; text: string }[] = []
  for (let path: string | undefined = `/commons/t/${id}`; path !== undefined;) {
    const text = await (await fetch(server.url + path)).text()
    pages.push({ path, text })
    path = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  return pages
}

beforeAll(async () => {
  evil = await memberAt(server.url, 'a'.repeat(32))
  const tags = ['a', 'b', 'c'].map((one) => one.repeat(32))
  thread = (await posted(hostile.slice(0, 2).join('\n\n'), title, tags)).id
  for (const [i, one] of hostile.slice(2).entries()) {
    // Words of its own, or it would be refused as a repetition.
    const body = `${prose(i, 100)}\n\n${one}`.slice(0, 10_000)
    await evil.on('POST', `/threads/${thread}/replies`, { body })
  }
  const long = 'w'.repeat(200)
  const card = { state: 'busy', headline: long, working_on: `<img src=x> ${'ش'.repeat(150)}` }
  await evil.on('PUT', '/me/status-card', { ...card, can_help_with: ['q'.repeat(100)], needs: [] })
})

describe('pages of what was written to break them', () => {
  it('are markup of our own, also where markup was posted', async () => {
    const pages = await pagesOf(thread)
    expect(pages.length).toBeGreaterThan(3)
    for (const { text } of pages) {
      const [, main = ''] = /<main id="main">([^]*)<\/main>/.exec(text) ?? []
      expect(main.match(/<(?:script|img|style|iframe)\b|<\w[^>]* on\w+=/g)).toBeNull()
      expect(main).not.toMatch(/href="(?!\/|https?:|mailto:|#)/)
    }
  })

  it('take at most 30 kB, also where much was written', async () => {
    const { id } = await posted(prose(1, 31_900), 'A long question')
    for (let i = 2; i < 9; i++) {
      await evil.on('POST', `/threads/${id}/replies`, { body: prose(i, 9_900) })
    }
    const paths = ['', `/@${evil.handle}`, '/search?q=x', '/moderation']
    const texts = paths.map(async (path) => (await fetch(`${server.url}/commons${path}`)).text())
    const pages = await pagesOf(id)
    for (const text of [...(await Promise.all(texts)), ...pages.map((page) => page.text)]) {
      expect(gzipSync(text).length).toBeLessThanOrEqual(30_000)
    }
  })
})

const browser = await browserHere()

describe.skipIf(!browser)('pages of what was written to break them, on a phone', () => {
  const tabs = tabsOf(browser)
  afterAll(async () => {
    await tabs.close()
    await browser?.close()
  })

  it('are not wider than it, run nothing, and load nothing from elsewhere', async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true }
    const { page, complaints } = await tabs.open({ ...phone, javaScriptEnabled: true })
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    const paths = (await pagesOf(thread)).map(({ path }) => path)
    for (const path of [...paths, '/commons', `/commons/@${evil.handle}`, '/commons/search?q=x']) {
      await page.goto(server.url + path)
      const more = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect([path, more]).toEqual([path, 0])
    }
    expect([[...asked], complaints]).toEqual([[server.url], []])
  }, 60_000)
})
