import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newToken, randomSuffix } from '#src/core/ids.ts'
import { registered, serve, words, type Served } from './browser.ts'

const attributes = 'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax'
const token = 'abs_[0-9A-Za-z]{38}'

describe('the cookie of a session', () => {
  let plain: Served
  let secure: Served
  beforeAll(async () => {
    plain = await serve()
    secure = await serve({ PUBLIC_URL: 'https://abode.example' })
  })
  afterAll(() => Promise.all([plain.close(), secure.close()]))

  const fresh = () => ({ email: `${randomSuffix(12)}@example.org`, password: words })
  const setCookie = (headers: Headers): string => headers.getSetCookie().join('\n')

  it('is for this host and no script where there is no TLS', async () => {
    const { status, headers, body } = await plain.send('POST', '/api/auth/register', {
      body: fresh(),
    })
    expect(status).toBe(201)
    expect(setCookie(headers)).toMatch(new RegExp(`^abode_session=${token}; ${attributes}$`))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(JSON.stringify(body)).not.toContain('abs_')
  })

  it('is bound to the host by its name, and to TLS, where there is TLS', async () => {
    const body = fresh()
    const from = { body, origin: 'https://abode.example' }
    for (const way of ['register', 'login']) {
      const { headers, kept } = await secure.send('POST', `/api/auth/${way}`, from)
      const pattern = `^__Host-abode_session=${token}; ${attributes}; Secure$`
      expect(setCookie(headers)).toMatch(new RegExp(pattern))
      expect((await secure.send('GET', '/api/auth/me', { cookie: kept })).status).toBe(200)
      // Any host of the domain can set one of this name.
      const tossed = kept?.replace('__Host-', '')
      expect((await secure.send('GET', '/api/auth/me', { cookie: tossed })).code).toBe(
        'unauthenticated',
      )
    }
  })

  it('makes no changes for a page that came without TLS, where there is TLS', async () => {
    const origin = 'https://abode.example'
    const { kept } = await secure.send('POST', '/api/auth/register', { body: fresh(), origin })
    const codeFrom = async (from: string) =>
      (await secure.send('DELETE', '/api/api-keys/none', { cookie: kept, origin: from })).code
    expect(await codeFrom(secure.url)).toBe('origin_mismatch')
    expect(await codeFrom('http://abode.example')).toBe('origin_mismatch')
    expect(await codeFrom(origin)).toBe('api_key_not_found')
    expect(await codeFrom(secure.url.replace('http:', 'https:'))).toBe('api_key_not_found')
  })

  it.each(['out', 'out by the list'])('goes with signing %s', async (way) => {
    const { cookie } = await registered(plain)
    const me = await plain.send('GET', '/api/auth/me', { cookie })
    const { id } = me.body.session as { id: string }
    const { headers } =
      way === 'out'
        ? await plain.send('POST', '/api/auth/logout', { cookie })
        : await plain.send('DELETE', `/api/auth/sessions/${id}`, { cookie })
    expect(setCookie(headers)).toBe('abode_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    expect((await plain.send('GET', '/api/auth/me', { cookie })).code).toBe('invalid_credential')
  })

  it('stays where another session of the person is ended', async () => {
    const { cookie, email } = await registered(plain)
    const other = await plain.send('POST', '/api/auth/login', { body: { email, password: words } })
    const me = await plain.send('GET', '/api/auth/me', { cookie: other.kept })
    const { id } = me.body.session as { id: string }
    const { kept, status } = await plain.send('DELETE', `/api/auth/sessions/${id}`, { cookie })
    expect([status, kept]).toEqual([200, undefined])
  })

  it('is found among others, and opens nothing when it is forged, cut or swapped', async () => {
    const { cookie } = await registered(plain)
    const [, value = ''] = cookie.split('=')
    const { key } = await madeKey(plain, cookie)
    const codeOf = async (sent: string) =>
      (await plain.send('GET', '/api/auth/me', { cookie: sent })).code
    expect(await codeOf(`a=1; ${cookie};b="2"`)).toBeUndefined()
    expect(await codeOf(`abode_session=junk; ${cookie}; abode_session=x`)).toBeUndefined()
    for (const sent of [
      newToken('abs'),
      value.slice(0, -1),
      `${value}x`,
      value.toUpperCase(),
      value.replace('abs_', 'act_'),
      newToken('act'),
      key,
      '%00',
      `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`,
    ]) {
      expect(await codeOf(`abode_session=${sent}`), sent).toBe('invalid_credential')
    }
    for (const sent of ['abode_session=', 'abode_session', '', `session=${value}`, ';;=;']) {
      expect(await codeOf(sent), sent).toBe('unauthenticated')
    }
  })

  it('is no bearer token on any door, and no cookie opens the doors of agents', async () => {
    const { cookie } = await registered(plain)
    const bearer = { authorization: `Bearer ${cookie.split('=')[1]}` }
    const rest = await plain.send('GET', '/api/account', { headers: bearer })
    expect([rest.status, rest.code]).toEqual([401, 'invalid_credential'])
    const method = { jsonrpc: '2.0', id: 1, method: 'account.get', params: {} }
    const accept = { accept: 'application/json, text/event-stream' }
    const params = { name: 'account_get', arguments: {} }
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    for (const [path, body] of [
      ['/a2a', method],
      ['/mcp', tool],
    ] as const) {
      const keyed = await plain.send('POST', path, { body, headers: { ...accept, ...bearer } })
      expect(keyed.status, path).toBe(401)
      const cookied = await plain.send('POST', path, { body, cookie, headers: accept })
      expect(JSON.stringify(cookied.body), path).toContain('unauthenticated')
    }
  })

  it('is kept from caches that others share, and from pages of others', async () => {
    const { cookie } = await registered(plain)
    const { headers } = await plain.send('GET', '/api/account', { cookie })
    const foreign = { cookie, origin: 'https://x.test' }
    expect(await plain.send('GET', '/api/account', foreign)).toMatchObject({
      status: 403,
      body: { code: 'origin_mismatch' },
    })
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('signing in', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve()
  })
  afterAll(() => served.close())

  it('never goes on with a token that was there before', async () => {
    const attacker = await registered(served)
    const { email } = await registered(served)
    const planted = attacker.cookie
    const login = { email, password: words }
    const { kept } = await served.send('POST', '/api/auth/login', { cookie: planted, body: login })
    expect(kept).toMatch(new RegExp(`^abode_session=${token}$`))
    expect(kept).not.toBe(planted)
    const after = await served.send('GET', '/api/auth/me', { cookie: planted })
    expect(after.code).toBe('invalid_credential')
    const me = await served.send('GET', '/api/auth/me', { cookie: kept })
    expect(me.body.person).toMatchObject({ email })
    const again = await served.send('POST', '/api/auth/login', { cookie: kept, body: login })
    expect(again.kept).not.toBe(kept)
    expect((await served.send('GET', '/api/auth/me', { cookie: kept })).status).toBe(401)
  })

  it('ends the session that was sent, also along with a key, and also by registering', async () => {
    const { cookie, email } = await registered(served)
    const { key } = await madeKey(served, cookie)
    const headers = { authorization: `Bearer ${key}` }
    const body = { email, password: words }
    const { kept } = await served.send('POST', '/api/auth/login', { cookie, body, headers })
    expect((await served.send('GET', '/api/auth/me', { cookie })).status).toBe(401)
    const other = { email: `x${email}`, password: words }
    await served.send('POST', '/api/auth/register', { cookie: kept, body: other })
    expect((await served.send('GET', '/api/auth/me', { cookie: kept })).status).toBe(401)
  })

  it('leaves the session alone when it fails', async () => {
    const { cookie, email } = await registered(served)
    const body = { email, password: 'some other words' }
    const failed = await served.send('POST', '/api/auth/login', { cookie, body })
    expect([failed.status, failed.code, failed.kept]).toEqual([401, 'login_failed', undefined])
    const taken = await served.send('POST', '/api/auth/register', {
      cookie,
      body: { email, password: words },
    })
    expect([taken.status, taken.code, taken.kept]).toEqual([409, 'email_taken', undefined])
    expect((await served.send('GET', '/api/auth/me', { cookie })).status).toBe(200)
  })

  it('is open with an expired cookie, and with the account of another person', async () => {
    const { cookie, email } = await registered(served)
    const stranger = await registered(served)
    const body = { email, password: words }
    await served.send('POST', '/api/auth/logout', { cookie })
    const late = await served.send('POST', '/api/auth/login', { cookie, body })
    expect(late.status).toBe(200)
    const headers = { 'abode-account': stranger.account_id }
    const other = await served.send('POST', '/api/auth/login', { cookie: late.kept, body, headers })
    expect(other.status).toBe(200)
  })

  it('keeps no answer for an idempotency key, since its cookie cannot be sent again', async () => {
    const { email } = await registered(served)
    const headers = { 'idempotency-key': 'the-same-key-that-is-long' }
    const sent = { body: { email, password: words }, headers }
    const first = await served.send('POST', '/api/auth/login', sent)
    const second = await served.send('POST', '/api/auth/login', sent)
    expect(second.kept).toMatch(/=abs_/)
    expect(second.kept).not.toBe(first.kept)
    const wrong = { body: { email, password: 'other words yet' }, headers }
    expect((await served.send('POST', '/api/auth/login', wrong)).code).toBe('login_failed')
  })
})

async function madeKey({ send }: Served, cookie: string): Promise<{ key: string }> {
  const { body } = await send('POST', '/api/api-keys/', { cookie, body: { name: 'Mine' } })
  return { key: String(body.key) }
}
