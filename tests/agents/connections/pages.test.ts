import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import {
  pageVisitor,
  registeredVisitor,
  type PageVisitor,
} from '#tests/accounts/people/page-visitor.ts'
import { claimedAccount } from '#tests/accounts/people/claimed.ts'
import { call } from '#tests/support/rest/call.ts'
import {
  sentBackTo,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from '#tests/support/oauth/authorization-server.ts'
import {
  startProtectedServer,
  type ProtectedServer,
} from '#tests/support/oauth/protected-server.ts'

const markup = `<script>alert(1)</script><img src=x> & "co"`

let server: Serving
let authorization: TestAuthorizationServer
let guarded: ProtectedServer
let visitor: PageVisitor
let key: string
let url: string

beforeEach(async () => {
  // The redirect is registered by the server itself, at any port.
  authorization = await startAuthorizationServer('http://127.0.0.1:1/oauth/callback')
  guarded = await startProtectedServer(authorization)
  guarded.metadata.resource_name = markup
  const allow = [authorization.issuer, guarded.tools.origin].join(',')
  const env = { ABODE_RATE_LIMITS: 'off', ABODE_OUTBOUND_ALLOW: allow }
  server = await serving(env, catalog)
  ;({ url } = server)
  ;({ visitor, key } = await claimedAccount(url))
  const tasks = [
    { task_id: 'api', name: 'A', prompt: 'Do it.', runtime: 'api', api_url: guarded.api },
  ]
  await call(url, 'POST', '/api/characters/', key, { id: 'ada', name: markup, heart: { tasks } })
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  authorization.close()
  guarded.close()
})

interface Ran {
  status: string
  error: { code: string; message: string } | null
}

const run = () =>
  call<Ran>(url, 'POST', '/api/characters/ada/tasks/api/run', key, { wait_seconds: 20 })

/** The path of the page that the failed run names. */
async function linked(): Promise<string> {
  const { error } = await run()
  const [, path = ''] = /(\/connect\/\w+)$/.exec(error?.message ?? '') ?? []
  return path
}

const linkIn = (text: string): string =>
  (/<a class="button main" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')

async function leaves(path: string): Promise<URL> {
  const page = await visitor.post(path, { action: 'connect' })
  expect(page).toMatchObject({ status: 200, heading: 'Go on to consent' })
  return sentBackTo(`${url}/oauth/callback`, linkIn(page.text))
}

describe('the page of a connection', () => {
  it('connects by two clicks, and says so; the run is let in', async () => {
    const path = await linked()
    const page = await visitor.get(path)
    expect(page).toMatchObject({ status: 200, heading: 'Connect an agent to a server' })
    expect(page.text).toContain(new URL(authorization.issuer).host)
    const back = await leaves(path)
    const returned = await visitor.get(back.pathname + back.search)
    expect(returned).toMatchObject({ status: 303, goesTo: path })
    expect((await visitor.get(path)).text).toContain('Connected since')
    expect((await run()).status).toBe('completed')
  })

  it('is linked in the settings of the account', async () => {
    const path = await linked()
    const [connection] = await server.abode.ports.store.outbound_connections.find({})
    const { owner_id } = connection ?? expect.fail('no server has asked')
    const page = await visitor.get(`/settings?account=${owner_id}`)
    expect(page.text).toContain(`href="${path}"`)
    expect(page.text).toContain('asks for your consent since')
  })

  it('shows what others call themselves as text', async () => {
    const page = await visitor.get(await linked())
    expect(page.text).toContain('&lt;script&gt;')
    expect(page.text).not.toMatch(/<script|<img/)
    expect(page.text).toContain('which no one has verified')
  })

  it('disconnects', async () => {
    const path = await linked()
    const back = await leaves(path)
    await visitor.get(back.pathname + back.search)
    expect(await visitor.post(path, { action: 'disconnect' })).toMatchObject({
      status: 200,
      heading: 'Disconnected',
    })
    expect((await visitor.get(path)).status).toBe(404)
    expect((await run()).error?.code).toBe('needs_consent')
  })

  it('takes a client of the owner, and says what is none', async () => {
    const path = await linked()
    const form = { action: 'connect', client_id: 'mine', client_secret: '' }
    const page = await visitor.post(path, form)
    expect(new URL(linkIn(page.text)).searchParams.get('client_id')).toBe('mine')
    for (const client_id of ['a\u0000b', 'ä', 'x'.repeat(2001)]) {
      const refused = await visitor.post(path, { ...form, client_id })
      expect(refused.status).toBe(422)
      expect(refused.text).toContain('signs of ASCII')
    }
  })

  it('asks who is not signed in to sign in, and shows nothing to others', async () => {
    const path = await linked()
    const newcomer = pageVisitor(url)
    const next = new URLSearchParams({ next: path }).toString()
    expect((await newcomer.get(path)).goesTo).toBe(`/sign-in?${next}`)
    const stranger = await registeredVisitor(url)
    for (const action of ['connect', 'disconnect']) {
      expect((await stranger.post(path, { action })).status).toBe(404)
    }
    expect((await stranger.get(path)).status).toBe(404)
    expect((await visitor.get('/connect/')).status).toBe(404)
  })

  it('does nothing for a form of another site, or a frame', async () => {
    const path = await linked()
    for (const action of ['connect', 'disconnect']) {
      const origin = 'https://elsewhere.example'
      expect((await visitor.post(path, { action }, { origin })).status).toBe(403)
    }
    const { headers } = await visitor.get(path)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('leads to no other place that its address or its form names', async () => {
    const path = await linked()
    const elsewhere = 'https://elsewhere.example'
    for (const name of ['next', 'redirect_uri', 'goTo', 'resource']) {
      const query = new URLSearchParams({ [name]: elsewhere }).toString()
      expect((await visitor.get(`${path}?${query}`)).text).not.toContain('elsewhere')
      const page = await visitor.post(path, { action: 'connect', [name]: elsewhere })
      expect(page.text).not.toContain('elsewhere')
    }
    expect(await visitor.post(path, { action: '' })).toMatchObject({ status: 303, goesTo: path })
  })

  it('says what is wrong with the other side, and stays', async () => {
    const path = await linked()
    guarded.metadata.authorization_servers = ['https://as.example']
    guarded.metadata.resource = 'https://other.example'
    const page = await visitor.get(path)
    expect(page).toMatchObject({ status: 502 })
    expect(page.text).toContain('is about another address')
    expect((await visitor.post(path, { action: 'connect' })).status).toBe(502)
  })

  it('warns where consent is given at another site', async () => {
    expect((await visitor.get(await linked())).text).toContain('Consent is given at another site')
  })
})

describe('the return of a person', () => {
  it('is taken in the browser in which they left alone, and once', async () => {
    const path = await linked()
    const back = await leaves(path)
    const at = back.pathname + back.search
    for (const other of [pageVisitor(url), await registeredVisitor(url)]) {
      expect(await other.get(at)).toMatchObject({ status: 403, heading: 'Nothing was connected' })
    }
    expect((await visitor.get(at)).status).toBe(303)
    expect((await visitor.get(at)).status).toBe(403)
  })

  it('is not taken once the account is held by another', async () => {
    const back = await leaves(await linked())
    const { store } = server.abode.ports
    const [connection] = await store.outbound_connections.find({})
    const { id, owner_id } = connection ?? expect.fail('no server has asked')
    await store.accounts.update({ id: owner_id }, { $set: { holder_id: 'usr_other' } })
    expect((await visitor.get(back.pathname + back.search)).status).toBe(403)
    expect((await store.outbound_connections.get(id))?.state).toBe('needs_consent')
  })

  it('leads nowhere else, and repeats nothing that it was sent', async () => {
    const path = await linked()
    const back = await leaves(path)
    back.searchParams.set('error', markup)
    back.searchParams.set('error_description', markup)
    back.searchParams.set('redirect_uri', 'https://elsewhere.example')
    const page = await visitor.get(back.pathname + back.search)
    expect(page).toMatchObject({ status: 502, goesTo: '' })
    expect(page.text).not.toMatch(/script|elsewhere/)
    expect((await visitor.get('/oauth/callback')).status).toBe(403)
    expect((await visitor.post('/oauth/callback', {})).status).toBe(405)
  })
})

describe('the document of this service as a client', () => {
  it('has its own address as the id, and the one redirect', async () => {
    const document = await call<Record<string, unknown>>(url, 'GET', '/oauth/client.json')
    expect(document).toMatchObject({
      client_id: `${url}/oauth/client.json`,
      redirect_uris: [`${url}/oauth/callback`],
      token_endpoint_auth_method: 'none',
    })
  })
})
