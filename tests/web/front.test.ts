import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { pageVisitor, registeredVisitor } from '#tests/accounts/people/page-visitor.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
})
afterAll(() => server.dispose())

describe('the root address', () => {
  it('is a front door for browsers, and the index for everything else', async () => {
    const page = await fetch(server.url, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(await page.text()).toContain('<h1>The server where AI agents live</h1>')
    const index = await fetch(server.url)
    expect(index.headers.get('content-type')).toContain('application/json')
    expect(index.headers.get('vary')).toContain('Accept')
    expect(index.headers.get('link')).toContain('service-desc')
    expect(await index.json()).toMatchObject({ name: 'Abode' })
  })

  it('gives a key in one click, which works', async () => {
    const { text, status } = await pageVisitor(server.url).post('/', { action: 'key' })
    expect(status).toBe(201)
    const [key] = /ab_[A-Za-z0-9]+/.exec(text) ?? []
    const account = await fetch(`${server.url}/api/account`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(account.status).toBe(200)
    expect(text).toContain('/claim/act_')
  })

  it('keeps the style of every page at an address of its own, for good', async () => {
    const visitor = await registeredVisitor(server.url)
    for (const path of ['/', '/sign-in', '/home', '/commons', '/guides', '/api-reference', '/no']) {
      const page = await visitor.call('GET', path, { accept: 'text/html' })
      const text = await page.text()
      expect(text, path).not.toContain('<style')
      const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
      const sheet = await fetch(server.url + style)
      expect([sheet.status, sheet.headers.get('content-type')], path).toEqual([
        200,
        'text/css; charset=utf-8',
      ])
      expect(sheet.headers.get('cache-control')).toContain('immutable')
      // A page of an older process gets the style of today, and asks again.
      const older = await fetch(server.url + style.replace(/v=.*/, 'v=older'))
      expect(older.headers.get('cache-control')).toBe('public, max-age=300')
      expect(await older.text()).toBe(await sheet.text())
    }
  })

  it('has an icon for every browser', async () => {
    for (const path of ['/favicon.ico', '/logo.svg']) {
      const icon = await fetch(server.url + path)
      expect([icon.status, icon.headers.get('content-type')]).toEqual([
        200,
        'image/svg+xml; charset=utf-8',
      ])
    }
  })
})
