import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { oneStore } from '#tests/support/stores.ts'
import { OutboundFailure, type Outbound, type Sender } from '#src/ports/sender.ts'
import { Browser } from './browser.ts'
import { personAt } from './person.ts'
import {
  agreedIn,
  begun,
  consenting,
  consentOf,
  discovered,
  exchanged,
  type Program,
} from './program.ts'

const client_id = 'https://host.example/client.json'
const redirect = 'https://host.example/callback'
const good = { client_id, client_name: 'Host', redirect_uris: [redirect] }

describe('a program whose id is the address of its description', () => {
  let server: PlayedServer
  let url = ''
  let asked: Outbound[] = []
  let described: (request: Outbound) => { status?: number; headers?: object; body?: unknown }

  const sender: Sender = {
    send(request) {
      asked.push(request)
      const { status = 200, headers = {}, body = good } = described(request)
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return text.length > (request.bytesAtMost ?? 0)
        ? Promise.reject(new OutboundFailure('too_large', 'The answer is too large.'))
        : Promise.resolve({ status, headers: { ...headers }, body: text })
    },
    load: () => Promise.reject(new OutboundFailure('unreachable', 'Nothing is loaded here.')),
    objection: () => undefined,
    close: () => Promise.resolve(),
  }

  beforeAll(async () => {
    const [kind] = oneStore()
    if (!kind) throw new Error('there is a store')
    server = await openServer(kind, {}, { sender })
    ;({ url } = server)
  })
  afterAll(() => server.close())
  beforeEach(() => {
    asked = []
    described = () => ({})
  })

  async function program(id = client_id): Promise<Program> {
    const client = { client_id: id, token_endpoint_auth_method: 'none' }
    return { server: await discovered(url), client, redirect }
  }

  /** An id that was not read before. */
  let ids = 0
  const freshId = () => `https://host.example/client-${ids++}.json`

  test('is read once, by the guarded fetch, and remembered for a person who agreed', async () => {
    const [browser, one] = await Promise.all([personAt(url), program()])
    const request = await begun(one)
    const page = await browser.follow(await browser.get(request.address))
    expect(page.text).toMatch(/It is described at\s+<strong>host\.example<\/strong>/)
    expect(asked).toMatchObject([{ url: client_id, method: 'GET', redirects: 0 }])
    const back = await agreedIn(browser, await begun(one))
    expect(back.goesTo).toContain(redirect)
    const again = await begun(one)
    const silent = await browser.follow(await browser.get(again.address))
    expect(silent.goesTo).toContain(redirect)
    expect(await exchanged(one, again, silent)).toMatchObject({ scope: 'read write run' })
    expect(asked).toHaveLength(1)
    const { connections } = server.world.ports.store
    const [known] = await connections.find({ client_id }, { limit: 1 })
    // It lasts no longer for what no one has decided.
    expect(known?.agreed_at).toBe(known?.created_at)
    const more = await begun(one, { scope: 'read admin' })
    expect((await browser.follow(await browser.get(more.address))).text).toContain(
      'asks for access',
    )
    const asks = await begun(one, { prompt: 'consent' })
    expect((await browser.follow(await browser.get(asks.address))).text).toContain(
      'asks for access',
    )
  })

  test('is asked about again once the year is over, and its tokens are refused', async () => {
    const id = freshId()
    described = () => ({ body: { ...good, client_id: id } })
    const [browser, one] = await Promise.all([personAt(url), program(id)])
    const request = await begun(one)
    const { access_token } = await exchanged(one, request, await agreedIn(browser, request))
    const { store, forgetCallers } = server.world.ports
    const expires_at = new Date(Date.now() - 1000).toISOString()
    await store.connections.update({ client_id: id }, { $set: { expires_at } })
    forgetCallers()
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await fetch(`${url}/api/account`, { headers })).status).toBe(401)
    const page = await browser.follow(await browser.get((await begun(one)).address))
    expect(page.text).toContain('asks for access')
  })

  test('may have loopback addresses of any port, and is asked about each time then', async () => {
    const id = freshId()
    described = () => ({
      body: { ...good, client_id: id, redirect_uris: ['http://localhost/callback'] },
    })
    const one = { ...(await program(id)), redirect: 'http://localhost:7777/callback' }
    const browser = await personAt(url)
    expect((await agreedIn(browser, await begun(one))).goesTo).toContain('localhost:7777')
    const again = await browser.follow(await browser.get((await begun(one)).address))
    expect(again.status).toBe(200)
  })

  describe('that describes itself otherwise later', () => {
    afterEach(() => vi.useRealTimers())
    /** Descriptions count for a minute where they do not say more. */
    const later = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })

    test.each([
      ['by another name', { client_name: 'Your bank' }],
      ['with another place to lead to', { redirect_uris: ['https://other.example/back'] }],
    ])('%s is asked about again', async (_, change) => {
      const id = freshId()
      described = () => ({ body: { ...good, client_id: id } })
      const [browser, one] = await Promise.all([personAt(url), program(id)])
      await agreedIn(browser, await begun(one))
      described = () => ({ body: { ...good, ...change, client_id: id } })
      later()
      const to = 'redirect_uris' in change ? change.redirect_uris[0] : redirect
      const request = await begun({ ...one, redirect: to ?? '' })
      const page = await browser.follow(await browser.get(request.address))
      expect([page.status, page.goesTo]).toEqual([200, ''])
      expect(page.text).toContain('asks for access')
    })

    test('without the place that it has asked for leads there no more', async () => {
      const id = freshId()
      described = () => ({ body: { ...good, client_id: id } })
      const [browser, one] = await Promise.all([personAt(url), program(id)])
      const page = await browser.follow(await browser.get((await begun(one)).address))
      described = () => ({
        body: { ...good, client_id: id, redirect_uris: ['https://host.example/new'] },
      })
      later()
      const posted = await browser.post(consentOf(page), consenting(page))
      expect([posted.status, posted.goesTo]).toEqual([410, ''])
    })
  })

  test.each([
    ['is not there', () => ({ status: 404 })],
    ['leads on', () => ({ status: 302, headers: { location: 'https://other.example/' } })],
    ['is no JSON', () => ({ body: '<html></html>' })],
    ['is a list', () => ({ body: [] })],
    ['is too long', (id: string) => ({ body: { ...good, client_id: id, x: 'x'.repeat(20_000) } })],
    ['names another id', () => ({ body: { ...good, client_id: 'https://other.example/' } })],
    [
      'names another redirect',
      (id: string) => ({
        body: { ...good, client_id: id, redirect_uris: ['https://other.example/'] },
      }),
    ],
    ['has a secret', (id: string) => ({ body: { ...good, client_id: id, client_secret: 'x' } })],
    [
      'has an open redirect',
      (id: string) => ({
        body: { ...good, client_id: id, redirect_uris: ['http://host.example/'] },
      }),
    ],
  ])('is not asked about where its description %s', async (_, wrong) => {
    const id = freshId()
    described = () => wrong(id)
    const page = await new Browser(url).get((await begun(await program(id))).address)
    expect([page.status, page.goesTo]).toEqual([400, ''])
    expect(page.text).toContain('Nothing was connected')
  })

  test('is not asked about where its description cannot be had', async () => {
    described = () => {
      throw new OutboundFailure('address_refused', 'This address is not public.')
    }
    const page = await new Browser(url).get((await begun(await program(freshId()))).address)
    expect([page.status, page.goesTo]).toEqual([400, ''])
  })

  test.each([
    'http://host.example/client.json',
    'https://user@host.example/',
    'https://host.example/#x',
    'https://host.example/a/../b',
  ])('has an address that may be one: not %s', async (id) => {
    const page = await new Browser(url).get((await begun(await program(id))).address)
    expect([page.status, page.goesTo]).toEqual([400, ''])
    expect(asked).toEqual([])
  })
})
