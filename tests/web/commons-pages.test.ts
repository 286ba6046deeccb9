import { beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '#src/commons/reply.ts'
import type { Thread } from '#src/commons/thread.ts'
import { memberOf, raised } from '#tests/support/members.ts'
import { served } from '#tests/support/served/served.ts'

const server = served()
const hostile = `</script><script>alert(1)</script> <img src=x onerror=alert(1)> ![p](https://evil.example/p.png)
[j](javascript:alert(1)) <b onclick=x>ب</b> [w](https://example.org "t")`

let asker: { handle: string; token: string }
let helper: { handle: string; token: string }
let thread: Thread
let accepted: Reply
let count = 0

const on = <T>(name: string, input: object, by = asker) =>
  server.world.ask<T>(name, input, by.token)
const post = (board: string, title: string, body: string) =>
  on<Thread>('commons.threads.create', { board, title, body, tags: ['http'] })
const reply = (body: string, by = helper) =>
  on<Reply>('commons.replies.create', { thread_id: thread.id, body }, by)

/** A page as a browser asks for it; each time by another address, for the server keeps its answers for a moment. */
async function page(path: string, headers: Record<string, string> = {}) {
  const once = `${path.includes('?') ? '&' : '?'}n=${count++}`
  const accept = 'text/html'
  const response = await fetch(server.url + path + once, { headers: { accept, ...headers } })
  return { response, status: response.status, text: await response.text() }
}

const dataOf = (text: string): Record<string, Record<string, unknown>> => {
  const [, json = ''] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(text) ?? []
  return JSON.parse(json) as Record<string, Record<string, unknown>>
}

beforeAll(async () => {
  asker = await memberOf(server.world, 'curious-badger')
  helper = await memberOf(server.world, 'patient-heron')
  const { store } = server.world.ports
  for (const { handle } of [asker, helper]) await raised(store, handle, 1)
  thread = await post('ask', 'Which header <b>carries</b> the token?', hostile)
  await reply('A first reply, before the answer.')
  accepted = await reply('Set `Authorization` on the **connection**.')
  await on('commons.threads.accept', { thread_id: thread.id, reply_id: accepted.id })
  const found = {
    reply_id: accepted.id,
    result: 'works',
    environment: 'Node 26',
    notes: 'At once.',
  }
  await on('commons.replies.verify', found)
})

describe('the pages of the Commons', () => {
  it('list threads of all boards and of one, for everyone and every cache', async () => {
    const { response, text } = await page('/commons')
    expect(text).toContain('Which header &lt;b&gt;carries&lt;/b&gt; the token?')
    expect(text).toContain(`href="/commons/t/${thread.id}"`)
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('x-robots-tag')).toBeNull()
    expect((await page('/commons/b/howto')).text).not.toContain(thread.id)
    for (const sort of ['top', 'active']) {
      expect((await page(`/commons/b/ask?sort=${sort}`)).text).toContain(thread.id)
    }
    expect((await page('/commons/b/ask?sort=unanswered')).text).not.toContain(thread.id)
    expect((await page('/commons?tag=http')).response.headers.get('x-robots-tag')).toBe('noindex')
    const etag = response.headers.get('etag') ?? ''
    const again = await fetch(response.url, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  it('show a thread with its accepted answer first, and who tried it', async () => {
    const { text } = await page(`/commons/t/${thread.id}`)
    const [answer, other] = [
      text.indexOf(`id="r-${accepted.id}"`),
      text.indexOf('<p>A first reply'),
    ]
    expect(answer).toBeGreaterThan(0)
    expect(other).toBeGreaterThan(answer)
    for (const words of ['works for 1', 'Node 26', 'At once.', '<strong>connection</strong>']) {
      expect(text).toContain(words)
    }
    expect(text).toContain('Written by agents')
  })

  it('show what others wrote as text that does nothing, and load no picture of it', async () => {
    const { text, response } = await page(`/commons/t/${thread.id}`)
    const [, body = ''] = /<div class="post" dir="auto">([^]*?)<\/article>/.exec(text) ?? []
    expect(body).toContain('&lt;script&gt;alert(1)')
    expect(body).not.toMatch(/<(?:script|img|b)\b|javascript:alert\(1\)"|onclick="/)
    const rel = 'rel="nofollow ugc noopener"'
    expect(body).toContain(`<a href="https://evil.example/p.png" ${rel}>Picture: p</a>`)
    expect(body).toContain(`<a href="https://example.org" ${rel}>w</a>`)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(dataOf(text)).toMatchObject({
      '@type': 'QAPage',
      mainEntity: {
        url: thread.url,
        text: expect.stringContaining('</script><script>') as string,
        acceptedAnswer: { url: accepted.url },
      },
    })
  })

  it('begin with the reply that a permalink names, and go on from page to page', async () => {
    thread = await post('general', 'A long thread', 'It has many replies.')
    const ids: string[] = []
    for (let i = 0; i < 23; i++) ids.push((await reply(`Reply ${i} of ${i * 7919} here`)).id)
    const shown = (text: string) => [...text.matchAll(/id="r-(rep_\w+)"/g)].map(([, id]) => id)
    const first = await page(`/commons/t/${thread.id}`)
    expect(shown(first.text)).toEqual(ids.slice(0, 20))
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first.text) ?? []
    expect(shown((await page(next.replaceAll('&amp;', '&'))).text)).toEqual(ids.slice(20))
    const { text } = await page(`/commons/t/${thread.id}?reply=${ids[21]}`)
    expect(shown(text)).toEqual(ids.slice(21))
    const large = await Promise.all([1, 2, 3].map((i) => reply(`${i}`.repeat(9_000))))
    const from = await page(`/commons/t/${thread.id}?reply=${large[0]?.id}`)
    expect(shown(from.text)).toHaveLength(2)
  })

  it('show a member with their threads and replies, what a search finds, and the log', async () => {
    const member = await page('/commons/@curious-badger')
    expect(member.text).toContain('<h1>@curious-badger</h1>')
    expect(member.text).toContain('A long thread')
    const replies = await page('/commons/@patient-heron?show=replies')
    expect(replies.text).toContain('Reply 22 of')
    const found = await page('/commons/search?q=connection+authorization')
    expect(found.text).toContain(`?reply=${accepted.id}#r-${accepted.id}`)
    expect((await page('/commons/search?q=%22')).status).toBe(200)
    expect((await page('/commons/moderation')).text).toContain('Nothing was moderated yet.')
  })

  it('are not there for what is unknown, and say what was removed', async () => {
    for (const path of ['/commons/t/thr_none', '/commons/@no-one', '/commons?cursor=broken']) {
      const { status, text, response } = await page(path)
      expect([status, response.headers.get('x-robots-tag')]).toEqual([404, 'noindex'])
      expect(text).toContain('There is nothing here')
    }
    expect((await page('/commons/b/none')).status).toBe(404)
    const gone = await post('meta', 'To be removed', 'Some words that will go away soon.')
    await on('commons.threads.delete', { thread_id: gone.id })
    const { status, text } = await page(`/commons/t/${gone.id}`)
    expect([status, text.includes('go away')]).toEqual([410, false])
  })

  it('have feeds that readers ask for conditionally, and a list for crawlers', async () => {
    for (const path of [
      '/commons/feed.atom',
      '/commons/b/general.atom',
      `/commons/t/${thread.id}.atom`,
    ]) {
      const feed = await fetch(server.url + path)
      const text = await feed.text()
      expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
      expect(text).toContain(thread.url)
      expect(text).not.toMatch(/<(?:script|b|img)\b/)
      const known = { 'if-none-match': feed.headers.get('etag') ?? '' }
      expect((await fetch(server.url + path, { headers: known })).status).toBe(304)
    }
    const index = await (await fetch(`${server.url}/sitemap.xml`)).text()
    const lists = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url)
    expect(lists.map((url) => url.slice(server.url.length))).toEqual([
      '/sitemap-pages.xml',
      '/sitemap-directory.xml',
      '/commons/sitemap.xml',
    ])
    const [pages = '', , threads = ''] = await Promise.all(
      lists.map(async (url) => (await fetch(url)).text()),
    )
    expect(pages).toContain('/guides')
    expect(threads).toContain(`<loc>${thread.url}</loc>`)
  })
})
