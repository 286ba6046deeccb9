import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifactId } from '#src/core/authorization/token-callers.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { callsOf } from '#tests/support/served/calls.ts'
import { oneStore } from '#tests/support/stores.ts'
import { Browser } from './browser.ts'
import { personAt } from './person.ts'
import {
  agreedIn,
  begun,
  consentOf,
  consenting,
  exchanged,
  refreshed,
  registered,
  revoked,
  type Asked,
  type Program,
} from './program.ts'

/** Each is named after what it holds against. Source: RFC 9700. */
describe.each(oneStore())('what OAuth is attacked by, on $name', (kind) => {
  let server: PlayedServer
  let url = ''
  beforeAll(async () => {
    server = await openServer(kind)
    ;({ url } = server)
  })
  afterAll(() => server.close())

  /** A program that a person has just connected, with its tokens. */
  async function connected(asked: Asked = {}, change: Record<string, string> = {}) {
    const [browser, program] = await Promise.all([personAt(url), registered(url)])
    const request = await begun(program, asked)
    const back = await agreedIn(browser, request, change)
    const tokens = await exchanged(program, request, back)
    return { browser, program, request, back, tokens }
  }

  interface Sent {
    method?: string
    headers?: Record<string, string>
    body?: string
  }

  const rest = async (token: string, path = '/api/account', init: Sent = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })

  async function tokenRequest(form: Record<string, string>) {
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  describe('the redirect', () => {
    const where = [
      'https://evil.example/callback',
      'http://127.0.0.1:4567/callback/../elsewhere',
      'http://127.0.0.1:4567/callback?more=1',
      'http://127.0.0.1.evil.example:4567/callback',
      'http://user@127.0.0.1:4567/callback',
      'http://127.0.0.1:4567/Callback',
      'http://127.0.0.1:4567/callback#fragment',
      'javascript:alert(1)',
      '//evil.example/callback',
    ]
    test.each(where)('is exact: %s is not sent to', async (redirect_uri) => {
      const program = await registered(url)
      const browser = new Browser(url)
      const { address } = await begun(program, { redirect_uri })
      const page = await browser.get(address)
      expect(page.status).toBe(400)
      expect(page.goesTo).toBe('')
      expect(page.text).not.toContain('evil.example/callback"')
    })

    test('is read to its end, also where a question mark stands in the query as it is', async () => {
      const program = await registered(url, { redirect_uris: ['https://a.example/?b=1'] })
      const { address } = await begun({ ...program, redirect: 'https://a.example/?b=1' })
      const plain = address.replace('%3Fb%3D1', '?b=1')
      expect(plain).not.toBe(address)
      expect((await new Browser(url).get(plain)).goesTo).toContain('/oauth/consent/')
    })

    test('may be any port of the same machine, as native programs need', async () => {
      const program = await registered(url)
      const { address } = await begun(program, { redirect_uri: 'http://127.0.0.1:9/callback' })
      expect((await new Browser(url).get(address)).goesTo).toContain('/oauth/consent/')
    })

    test.each([
      ['without TLS', 'http://evil.example/callback'],
      ['that speaks to the browser', 'https://a;sandbox/'],
      ['that runs', 'javascript:alert(1)'],
      ['that holds what it shows', 'data:text/html,hi'],
      ['with a fragment', 'https://a.example/#x'],
      ['that is none', 'callback'],
    ])('is not registered %s', async (_, redirect) => {
      const response = await fetch(`${url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [redirect] }),
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' })
    })
  })

  describe('the code', () => {
    test('is of one use, and a second one ends what the first gave', async () => {
      const { program, request, back, tokens } = await connected()
      expect((await rest(tokens.access_token)).status).toBe(200)
      await expect(exchanged(program, request, back)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      expect((await rest(tokens.access_token)).status).toBe(401)
      await expect(refreshed(program, tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    })

    test('is exchanged by one of two at the same moment', async () => {
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const request = await begun(program)
      const back = await agreedIn(browser, request)
      const both = await Promise.allSettled([
        exchanged(program, request, back),
        exchanged(program, request, back),
      ])
      expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2)
    })

    test('is of the program that asked', async () => {
      const [browser, program, other] = await Promise.all([
        personAt(url),
        registered(url),
        registered(url),
      ])
      const request = await begun(program)
      const back = await agreedIn(browser, request)
      await expect(
        exchanged({ ...other, redirect: program.redirect }, request, back),
      ).rejects.toMatchObject({ error: 'invalid_grant' })
    })

    test('needs the verifier, whose challenge is S256', async () => {
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const request = await begun(program)
      const back = await agreedIn(browser, request)
      const wrong = { ...request, verifier: 'a'.repeat(43) }
      await expect(exchanged(program, wrong, back)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    })

    test.each([
      ['plain', { code_challenge_method: 'plain', code_challenge: 'a'.repeat(43) }],
      ['missing', { code_challenge_method: undefined, code_challenge: undefined }],
      ['of no method', { code_challenge_method: undefined, code_challenge: 'a'.repeat(43) }],
    ])('is not given where PKCE is %s', async (_, asked) => {
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const request = await begun(program, asked)
      const back = await browser.follow(await browser.get(request.address))
      expect(back.goesTo).toContain('error=invalid_request')
      expect(back.goesTo).not.toContain('code=')
    })

    test('names the issuer, so that no other can be taken for it', async () => {
      const { back } = await connected()
      expect(new URL(back.goesTo).searchParams.get('iss')).toBe(url)
    })
  })

  describe('the tokens', () => {
    test('are for one address', async () => {
      const { tokens } = await connected({ resource: `${url}/mcp/account` })
      const refused = await rest(tokens.access_token)
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token", .+resource_metadata=".+oauth-protected-resource", scope="/,
      )
      const { answer } = await callsOf(url, tokens.access_token).tool('account_get', {})
      expect(answer).toBeDefined()
    })

    test.each(['/mcp/elsewhere', '/api/characters', 'x', '/a2a/one/two'])(
      'are for no address that takes none: %s',
      async (path) => {
        const [browser, program] = await Promise.all([personAt(url), registered(url)])
        const request = await begun(program, { resource: url + path })
        const back = await browser.follow(await browser.get(request.address))
        expect(back.goesTo).toContain('error=invalid_target')
      },
    )

    test('of REST are refused at each door', async () => {
      const { tokens } = await connected()
      expect((await rest(tokens.access_token)).status).toBe(200)
      for (const path of ['/mcp', '/mcp/account', '/a2a/', '/a2a/some-agent/']) {
        const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
        const { status, headers } = await rest(tokens.access_token, path, init)
        expect([path, status]).toEqual([path, 401])
        expect(headers.get('www-authenticate')).toContain(
          `oauth-protected-resource${path === '/mcp' ? '/mcp' : path}"`,
        )
      }
    })

    test('of another resource are not given for a refresh token', async () => {
      const { program, tokens } = await connected({ resource: `${url}/mcp/account` })
      const more = refreshed(program, tokens.refresh_token ?? '', { resource: url })
      await expect(more).rejects.toMatchObject({ error: 'invalid_target' })
    })

    test('are not renewed twice: the second use ends the connection', async () => {
      const { program, tokens } = await connected()
      const first = tokens.refresh_token ?? ''
      const more = await refreshed(program, first)
      await expect(refreshed(program, first)).rejects.toMatchObject({ error: 'invalid_grant' })
      // A program may send one twice within a moment.
      expect((await rest(more.access_token)).status).toBe(200)
      const { oauth_artifacts: artifacts } = server.world.ports.store
      const consumed_at = new Date(Date.now() - 11_000).toISOString()
      await artifacts.update({ id: artifactId('RefreshToken', first) }, { $set: { consumed_at } })
      await expect(refreshed(program, first)).rejects.toMatchObject({ error: 'invalid_grant' })
      expect((await rest(more.access_token)).status).toBe(401)
      expect((await rest(tokens.access_token)).status).toBe(401)
    })

    test('are renewed once by two at the same moment', async () => {
      const { program, tokens } = await connected()
      const both = await Promise.allSettled([
        refreshed(program, tokens.refresh_token ?? ''),
        refreshed(program, tokens.refresh_token ?? ''),
      ])
      expect(both.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    })

    test('are renewed for their program alone', async () => {
      const { tokens } = await connected()
      const other = await registered(url)
      await expect(refreshed(other, tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      expect((await rest(tokens.access_token)).status).toBe(200)
    })

    test('gain no scope when they are renewed', async () => {
      const { program, tokens } = await connected({ scope: 'read' })
      await expect(
        refreshed(program, tokens.refresh_token ?? '', { scope: 'read admin' }),
      ).rejects.toMatchObject({ error: 'invalid_scope' })
    })

    test('are not read from a query or a body', async () => {
      const { tokens } = await connected()
      const { status } = await fetch(`${url}/api/account?access_token=${tokens.access_token}`)
      expect(status).not.toBe(200)
    })

    test('end where a refresh token is revoked, also the keys that were made with them', async () => {
      const { program, tokens } = await connected({ scope: 'read admin' })
      const made = await rest(tokens.access_token, '/api/api-keys/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Its own' }),
      })
      const { key } = (await made.json()) as { key: string }
      expect((await rest(key)).status).toBe(200)
      await revoked(program, tokens.refresh_token ?? '')
      expect((await rest(tokens.access_token)).status).toBe(401)
      expect((await rest(key)).status).toBe(401)
    })

    test('end together where an access token is revoked, and the person is still asked for no more', async () => {
      const { browser, program, tokens } = await connected()
      await revoked(program, tokens.access_token)
      expect((await rest(tokens.access_token)).status).toBe(401)
      await expect(refreshed(program, tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      expect((await browser.get('/settings')).text).toContain('Test program')
    })

    test('are kept as digests', async () => {
      const { tokens } = await connected()
      const rows = await server.world.ports.store.oauth_artifacts.find({})
      const kept = JSON.stringify(rows)
      expect(kept).not.toContain(tokens.access_token)
      expect(kept).not.toContain(tokens.refresh_token)
    })

    test('of a program are no person', async () => {
      const { tokens } = await connected({ scope: 'read write run approve spend admin' })
      for (const [method, path] of [
        ['GET', '/api/account/connections'],
        ['GET', '/api/auth/sessions'],
      ] as const) {
        const response = await rest(tokens.access_token, path, { method })
        expect(await response.json()).toMatchObject({ code: 'person_needed' })
      }
    })

    test('open nothing once the account is held by no one or another', async () => {
      const { tokens } = await connected()
      const account = (await (await rest(tokens.access_token)).json()) as { id: string }
      const { store } = server.world.ports
      await store.accounts.update({ id: account.id }, { $set: { holder_id: 'usr_other' } })
      server.world.ports.forgetCallers()
      expect((await rest(tokens.access_token)).status).toBe(401)
    })

    test('that lack a scope are told which', async () => {
      const { tokens } = await connected({ scope: 'read' })
      const response = await rest(tokens.access_token, '/api/characters/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Ada' }),
      })
      expect(response.status).toBe(403)
      expect(response.headers.get('www-authenticate')).toMatch(
        /^Bearer error="insufficient_scope", scope="read write", .*resource_metadata="/,
      )
      expect(await response.json()).toMatchObject({
        code: 'insufficient_scope',
        scope: 'write',
        ask_for: 'read write',
      })
    })
  })

  describe('the decision', () => {
    test('is one of the browser in which the request began', async () => {
      const [victim, program] = await Promise.all([personAt(url), registered(url)])
      const attacker = new Browser(url)
      const { goesTo } = await attacker.get((await begun(program)).address)
      const page = await victim.get(goesTo)
      expect(page.status).toBe(410)
      const posted = await victim.post(goesTo, [
        ['action', 'allow'],
        ['allowed', 'read'],
      ])
      expect(posted.status).toBe(410)
      expect(posted.goesTo).toBe('')
    })

    test('is not taken from a page of another site, nor shown in its frame', async () => {
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const page = await browser.follow(await browser.get((await begun(program)).address))
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      const here = consentOf(page)
      for (const headers of [{ origin: 'https://evil.example' }, {} as { origin: string }]) {
        const posted = await browser.post(here, consenting(page), headers)
        expect(posted.status).toBe(403)
        expect(posted.goesTo).toBe('')
      }
    })

    test('is not made by a session that has ended', async () => {
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const page = await browser.follow(await browser.get((await begun(program)).address))
      await browser.post('/sign-out', {})
      const posted = await browser.post(consentOf(page), consenting(page))
      expect(posted.goesTo).toBe('')
      expect(posted.text).toContain('Sign in')
    })

    test('is for no account of another person, nor for an agent of one', async () => {
      const [browser, other, program] = await Promise.all([
        connected(),
        connected(),
        registered(url),
      ])
      const theirs = (await (await rest(other.tokens.access_token)).json()) as { id: string }
      const made = await rest(other.tokens.access_token, '/api/characters/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Theirs' }),
      })
      const agent = (await made.json()) as { id: string }
      const request = await begun(program)
      const page = await browser.browser.follow(await browser.browser.get(request.address))
      for (const change of [{ account: theirs.id }, { scope: agent.id }]) {
        const form = consenting(page).filter(([name]) => !(name in change))
        const posted = await browser.browser.post(consentOf(page), [
          ...form,
          ...Object.entries(change),
        ])
        expect([posted.status, posted.goesTo]).toEqual([403, ''])
      }
    })

    test('allows no more than was asked for', async () => {
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const request = await begun(program, { scope: 'read' })
      const page = await browser.follow(await browser.get(request.address))
      const form: [string, string][] = [...consenting(page), ['allowed', 'admin']]
      const back = await browser.follow(await browser.post(consentOf(page), form))
      expect(await exchanged(program, request, back)).toMatchObject({ scope: 'read' })
    })

    test('is made for none of what decides, pays or rules', async () => {
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const request = await begun(program, { scope: 'read run approve spend admin' })
      const { text } = await browser.follow(await browser.get(request.address))
      const boxes = [...text.matchAll(/name="allowed" value="(\w+)"\s*(checked)?/g)]
      expect(boxes.map(([, scope, ticked]) => [scope, ticked === 'checked'])).toEqual([
        ['read', true],
        ['run', true],
        ['approve', false],
        ['spend', false],
        ['admin', false],
      ])
    })

    test('may be to refuse, or to allow less', async () => {
      const [browser, program] = await Promise.all([personAt(url), registered(url)])
      const refused = await begun(program)
      const first = await browser.follow(await browser.get(refused.address))
      const back = await browser.follow(await browser.post(consentOf(first), { action: 'deny' }))
      expect(back.goesTo).toContain('error=access_denied')
      const request = await begun(program, { scope: 'read write' })
      const page = await browser.follow(await browser.get(request.address))
      const form = consenting(page).filter(([, value]) => value !== 'write')
      const less = await browser.follow(await browser.post(consentOf(page), form))
      expect(await exchanged(program, request, less)).toMatchObject({ scope: 'read' })
    })

    test('shows what a program calls itself as text', async () => {
      const client_name = '<img src=x onerror=alert(1)> & co'
      const [browser, program] = await Promise.all([
        personAt(url),
        registered(url, { client_name }),
      ])
      const page = await browser.follow(await browser.get((await begun(program)).address))
      expect(page.text).not.toContain('<img')
      expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; co')
    })

    test('shows no name that turns others around, and reads nothing else of a description', async () => {
      const client_name = `Abode\u202e\u0000\n${'😀'.repeat(120)}`
      const more = {
        jwks_uri: 'https://keys.example/',
        sector_identifier_uri: 'https://s.example/',
      }
      const program = await registered(url, { client_name, ...more })
      expect(program.client).toMatchObject({ client_name: `Abode ${'😀'.repeat(94)}` })
      expect(Object.keys(program.client)).not.toContain('jwks_uri')
    })

    test('is asked for again where any program could be in the place of this one', async () => {
      const { browser, program } = await connected()
      const again = await browser.follow(await browser.get((await begun(program)).address))
      expect(again.status).toBe(200)
      expect(again.text).toContain('asks for access')
    })
  })

  test('what stands for a secret within the server is no secret that a program may send', async () => {
    const program: Program = await registered(url)
    const rows = await server.world.ports.store.oauth_artifacts.find({})
    for (const { id } of rows.slice(0, 20)) {
      for (const [grant_type, member] of [
        ['refresh_token', 'refresh_token'],
        ['authorization_code', 'code'],
        ['urn:ietf:params:oauth:grant-type:device_code', 'device_code'],
      ] as const) {
        const { body } = await tokenRequest({
          grant_type,
          [member]: `#${id}`,
          client_id: program.client.client_id,
          redirect_uri: program.redirect,
          code_verifier: 'a'.repeat(43),
        })
        expect(body['access_token']).toBeUndefined()
      }
      expect((await rest(`#${id}`)).status).toBe(401)
    }
  })
})
