import { generateKeyPair, type JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pageVisitor, registering } from '#tests/accounts/people/page-visitor.ts'
import { Browser, type Shown } from '#tests/oauth/browser.ts'
import { openProviders } from '#adapters/oauth/providers.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import { oneStore, stores } from '#tests/support/stores.ts'
import { ada, provided, type Provided } from './provided.ts'

type Signed = (claims: JWTPayload) => Promise<string> | string

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Leaves for the company, which answers for any code with an ID token made of the right claims. */
async function answeredBy(made: Provided, browser: Browser, idToken: Signed): Promise<Shown> {
  const { company } = made
  const left = new URL((await browser.get(made.leaving(company))).goesTo).searchParams
  const [nonce, state] = [left.get('nonce'), left.get('state') ?? '']
  const iat = Math.floor(Date.now() / 1000)
  const who = { sub: 'ada-1', email: ada, email_verified: true }
  const claims = { iss: company.issuer, aud: 'by-hand', iat, exp: iat + 60, nonce, ...who }
  const id_token = await idToken(claims)
  company.before = (request, response) => {
    if (!request.url?.startsWith('/token')) return undefined
    const body = JSON.stringify({ access_token: 'a', token_type: 'bearer', id_token })
    return response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  const query = new URLSearchParams({ code: 'c', state, iss: company.issuer })
  return browser.get(`/sign-in/callback?${query.toString()}`)
}

describe.each(oneStore())('a sign-in at a provider, on $name', (kind) => {
  let made: Provided
  let browser: Browser
  beforeAll(async () => {
    made = await provided(kind)
  })
  afterAll(() => made.close())
  beforeEach(() => {
    browser = new Browser(made.url)
  })
  afterEach(async () => {
    made.company.before = undefined
    expect(await made.persons()).toEqual([])
  })

  const left = () => made.leaves(browser, made.leaving(made.company))

  /** It did nothing, and the page says so. */
  const refused = async (shown: Shown, status = 403): Promise<void> => {
    expect(shown).toMatchObject({ status, goesTo: '' })
    expect(shown.text).toContain('You are not signed in')
    expect(await made.me(browser)).toBeUndefined()
  }

  it('asks for a code with PKCE, a state and a nonce, that are new each time', async () => {
    const asked = async () =>
      new URL((await browser.get(made.leaving(made.company))).goesTo).searchParams
    const [first, second] = [await asked(), await asked()]
    expect(Object.fromEntries(first)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email',
      redirect_uri: `${made.url}/sign-in/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.get(name)?.length).toBeGreaterThan(40)
      expect(first.get(name)).not.toBe(second.get(name))
    }
  })

  it('keeps its secrets from the browser in a cookie that no page reads', async () => {
    const { headers, goesTo } = await browser.get(made.leaving(made.company))
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(/^abode_sign_in=[\w-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain(new URL(goesTo).searchParams.get('state'))
  })

  it('ends in the browser in which it began alone', async () => {
    const path = await left()
    const other = new Browser(made.url)
    await refused(await other.get(path))
    await other.get(made.leaving(made.company))
    await refused(await other.get(path))
    expect(await made.me(other)).toBeUndefined()
  })

  it.each([
    ['of another issuer', (q: URLSearchParams) => q.set('iss', made.other.issuer)],
    ['that does not say its issuer', (q: URLSearchParams) => q.delete('iss')],
    ['with another state', (q: URLSearchParams) => q.set('state', 'x'.repeat(48))],
    ['with two states', (q: URLSearchParams) => q.append('state', q.get('state') ?? '')],
    ['without a state', (q: URLSearchParams) => q.delete('state')],
    ['without a code', (q: URLSearchParams) => q.delete('code')],
    ['with another code', (q: URLSearchParams) => q.set('code', 'x')],
    ['with an ID token in place of a code', (q: URLSearchParams) => q.set('response', 'a.b.c')],
    ['that was declined', (q: URLSearchParams) => q.set('error', 'access_denied')],
    ['with markup', (q: URLSearchParams) => q.set('error', '<script>alert(1)</script>')],
  ])('takes no answer %s', async (_, change) => {
    const url = new URL(await left(), made.url)
    change(url.searchParams)
    const shown = await browser.get(url.pathname + url.search)
    await refused(shown)
    expect(shown.text).not.toContain('<script')
  })

  it('takes no code of another provider', async () => {
    const first = new URL(await left(), made.url)
    const second = new URL(await made.leaves(browser, made.leaving(made.other)), made.url)
    // The browser has begun with the other one last.
    first.searchParams.set('state', second.searchParams.get('state') ?? '')
    await refused(await browser.get(first.pathname + first.search))
    first.searchParams.set('iss', made.other.issuer)
    await refused(await browser.get(first.pathname + first.search))
  })

  it.each<[string, Signed]>([
    ['of another audience', (claims) => made.company.sign({ ...claims, aud: 'another' })],
    [
      'for several, of whom another asked',
      (claims) => made.company.sign({ ...claims, aud: ['by-hand', 'another'], azp: 'another' }),
    ],
    ['of another issuer', (claims) => made.company.sign({ ...claims, iss: made.other.issuer })],
    ['with another nonce', (claims) => made.company.sign({ ...claims, nonce: 'another' })],
    ['without a nonce', (claims) => made.company.sign({ ...claims, nonce: undefined })],
    ['that has expired', (claims) => made.company.sign({ ...claims, exp: 1_700_000_000 })],
    ['without an end', (claims) => made.company.sign({ ...claims, exp: undefined })],
    ['without a subject', (claims) => made.company.sign({ ...claims, sub: undefined })],
    [
      'with a subject of a kilobyte',
      (claims) => made.company.sign({ ...claims, sub: 's'.repeat(1000) }),
    ],
    ['that is not signed', (claims) => `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claims)}.`],
    [
      'with a signature of nothing',
      (claims) => `${base64({ alg: 'RS256', kid: 'one' })}.${base64(claims)}.`,
    ],
    [
      'signed by another key of the same name',
      async (claims) => {
        const { privateKey: key } = await generateKeyPair('RS256')
        return made.company.sign(claims, { key })
      },
    ],
    ['signed by another provider', (claims) => made.other.sign(claims)],
    ['that is none', () => 'nonsense'],
    ['that is too long', () => 'a'.repeat(70_000)],
  ])('takes no ID token %s', async (_, idToken) => {
    await refused(await answeredBy(made, browser, idToken))
  })

  it('takes no answer that is an error, no token, or no JSON', async () => {
    for (const [status, body] of [
      [400, '{"error":"invalid_grant"}'],
      [200, '{"access_token":"a","token_type":"bearer"}'],
      [200, '<html>'],
      [500, ''],
    ] as const) {
      const path = await left()
      made.company.before = (request, response) => {
        if (!request.url?.startsWith('/token')) return undefined
        return response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      }
      await refused(await browser.get(path))
      made.company.before = undefined
    }
  })

  it('sends code and secret on to no other address', async () => {
    const path = await left()
    made.company.before = (request, response) => {
      if (!request.url?.startsWith('/token')) return undefined
      return response.writeHead(307, { location: `${made.other.issuer}/token` }).end()
    }
    const before = made.other.asked.length
    await refused(await browser.get(path), 503)
    expect(made.other.asked).toHaveLength(before)
  })

  it.each(['/sign-in/with', '/sign-in/with?issuer=', '/sign-in/with?issuer=https://x.example'])(
    'leads to no provider that the operator has not named: %s',
    async (path) => {
      await refused(await browser.get(path), 404)
    },
  )

  it('is begun by no form of another site', async () => {
    const { issuer } = made.company
    await pageVisitor(made.url).get('/sign-in')
    const headers = { origin: 'https://elsewhere.example' }
    const shown = await browser.post('/sign-in/with', { issuer }, headers)
    expect(shown.status).toBe(403)
    expect(shown.headers.getSetCookie()).toEqual([])
  })

  it.each(['', 'x', 'a'.repeat(4000), 'AAAA'.repeat(30)])(
    'takes no cookie that this service has not sealed: %#',
    async (cookie) => {
      const url = new URL(await left(), made.url)
      const headers = { cookie: `abode_sign_in=${cookie}` }
      const { status } = await fetch(url, { redirect: 'manual', headers })
      expect(status).toBe(403)
    },
  )
})

describe.each(oneStore())('a sign-in that was done, on $name', (kind) => {
  let made: Provided
  beforeAll(async () => {
    made = await provided(kind)
  })
  afterAll(() => made.close())

  it('is done by an ID token in which all is right', async () => {
    const browser = new Browser(made.url)
    const shown = await answeredBy(made, browser, (claims) => made.company.sign(claims))
    made.company.before = undefined
    expect(shown.status).toBe(303)
    expect(await made.me(browser)).toMatchObject({ email: ada })
  })

  it('is not done again by the same code', async () => {
    const browser = new Browser(made.url)
    const path = await made.leaves(browser, made.leaving(made.company))
    expect((await browser.get(path)).status).toBe(303)
    await browser.post('/sign-out', {})
    expect((await browser.get(path)).status).toBe(403)
    expect(await made.me(browser)).toBeUndefined()
  })

  it('leaves a session that the browser had before of no use', async () => {
    const browser = new Browser(made.url)
    const planted = pageVisitor(made.url)
    await planted.post('/sign-in', registering('mallory@mail.example'))
    const cookie = planted.cookie ?? ''
    const path = await made.leaves(browser, made.leaving(made.company))
    const own = browser.cookieOf('abode_sign_in')
    const shown = await fetch(made.url + path, {
      redirect: 'manual',
      headers: { cookie: `${cookie}; abode_sign_in=${own}` },
    })
    expect(shown.status).toBe(303)
    expect((await planted.call('GET', '/api/auth/me')).status).toBe(401)
  })

  it.each([
    ['https://elsewhere.example/', '/settings'],
    ['//elsewhere.example', '/settings'],
    ['/\\elsewhere.example', '/settings'],
    ['/.//elsewhere.example', '/settings'],
    ['javascript:alert(1)', '/settings'],
    [`/${'a'.repeat(3000)}`, '/settings'],
    ['/settings?account=x', '/settings?account=x'],
  ])('leads on to paths of this service alone: %#', async (next, path) => {
    const browser = new Browser(made.url)
    const shown = await browser.get(
      await made.leaves(browser, made.leaving(made.company, { next })),
    )
    expect(shown).toMatchObject({ status: 303, goesTo: path })
  })

  it('keeps the longest path that it may lead on to in a cookie that browsers keep', async () => {
    const browser = new Browser(made.url)
    const next = `/${'a'.repeat(1999)}`
    const { headers } = await browser.get(made.leaving(made.company, { next }))
    expect(headers.getSetCookie()[0]?.length).toBeLessThan(4096)
  })
})

describe('a provider that does not answer', () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')

  it('is said to be away, before a person leaves and when they are back, and works again', async () => {
    const made = await provided(kind)
    try {
      const browser = new Browser(made.url)
      made.company.before = (request) => request.socket.destroy()
      const shown = await browser.get(made.leaving(made.company))
      expect(shown).toMatchObject({ status: 502, goesTo: '' })
      expect(shown.text).toContain('cannot be used now')
      made.company.before = undefined
      const path = await made.leaves(browser, made.leaving(made.company))
      made.company.before = (request) => request.socket.destroy()
      const back = await browser.get(path)
      expect(back).toMatchObject({ status: 503, goesTo: '' })
      expect(back.text).toContain('has not said who you are')
      expect(await made.persons()).toEqual([])
      made.company.before = undefined
      expect((await made.signsIn(browser)).status).toBe(303)
    } finally {
      await made.close()
    }
  })

  it('is waited for so long, and asked once for all who come', async () => {
    const made = await provided(kind)
    const held = Promise.withResolvers<void>()
    try {
      made.company.holds = held.promise
      const sender = openSender({ allow: [made.company.issuer], userAgent: 'tests' })
      const providers = openProviders(sender, 100)
      const asking = () =>
        providers.askingAddress(
          { issuer: made.company.issuer, client: { id: 'by-hand', secret: null }, scopes: [] },
          { redirect: 'http://127.0.0.1/back', state: 's', nonce: 'n', verifier: 'v'.repeat(43) },
        )
      const asked = made.company.asked.length
      const outcomes = await Promise.allSettled([asking(), asking(), asking()])
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(made.company.asked).toHaveLength(asked + 1)
      await sender.close()
    } finally {
      held.resolve()
      await made.close()
    }
  })
})
