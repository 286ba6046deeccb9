import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { call, claimable } from '#tests/support/rest/call.ts'
import {
  fieldOf,
  newEmail,
  pageVisitor,
  registeredVisitor,
  registering,
  type PageVisitor,
  type Shown,
} from './page-visitor.ts'
import { claimedBy } from './claimed.ts'
import { password } from './persons.ts'

const markup = `<script>alert(1)</script><img src=x onerror='alert("1")'> & "co"`
const settings = '/settings'

let server: Serving
let url = ''

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const registered = (email?: string) => registeredVisitor(url, email)
const post = <T>(path: string, body: object, key?: string) => call<T>(url, 'POST', path, key, body)

/** An account of an agent that the visitor has taken over, with an agent in it. */
async function taken(visitor: PageVisitor, name = 'Ada') {
  const claimed = await claimedBy(visitor, url, name)
  const agent = await post<{ id: string }>('/api/characters/', { name: 'One' }, claimed.key)
  return { ...claimed, agent: agent.id }
}

async function statusOf(key: string): Promise<{ status: number; id: string }> {
  const answer = await server.ask('/api/account', { headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status, id: (JSON.parse(answer.text) as { id: string }).id }
}

const keyIn = ({ text }: Shown) => /<textarea[^]*?>\s*(ab_\w+)<\/textarea>/.exec(text)?.[1] ?? ''
const isAt = (page: Shown, account: string) => fieldOf(page, 'account') === account

describe('the settings', () => {
  it('are for signed-in persons, and lead back after signing in', async () => {
    const visitor = pageVisitor(url)
    const away = await visitor.get(`${settings}?account=acc_1`)
    expect(away.status).toBe(303)
    expect(away.goesTo).toBe(`/sign-in?next=${encodeURIComponent('/settings?account=acc_1')}`)
    const form = await visitor.get(away.goesTo)
    expect(fieldOf(form, 'next')).toBe('/settings?account=acc_1')
    const refused = await visitor.post(settings, { action: 'create_key', name: 'A key' })
    expect(refused.heading).toBe('Sign in again')
  })

  it('make a key that is shown once, for the account or for one agent', async () => {
    const visitor = await registered()
    const { account, agent } = await taken(visitor)
    const page = await visitor.get(`${settings}?account=${account}`)
    expect(page.status).toBe(200)
    expect(isAt(page, account)).toBe(true)
    expect(page.text).toContain(`<option value="${agent}"`)
    const once = fieldOf(page, 'once')
    const form = { action: 'create_key', account, once, name: 'For the agent', scope: agent }
    const made = await visitor.post(settings, form)
    expect(made).toMatchObject({ status: 200, heading: 'Your new key' })
    const key = keyIn(made)
    const answer = await server.ask('/api/account', { headers: { authorization: `Bearer ${key}` } })
    expect(JSON.parse(answer.text)).toMatchObject({ id: account, key: { scope_char_id: agent } })
    const after = await visitor.get(`${settings}?account=${account}`)
    expect(after.text).toContain('For the agent')
    expect(after.text).not.toContain(key)
    // A reload of the answer sends the form again.
    expect(keyIn(await visitor.post(settings, form))).toBe(key)
    const another = await visitor.post(settings, { ...form, name: 'Another' })
    expect(another.status).toBe(409)
    expect(another.text).toContain('was sent before with something else')
    const wide = await visitor.post(settings, {
      action: 'create_key',
      account,
      once: fieldOf(after, 'once'),
      name: 'For all',
      scope: '',
    })
    expect((await statusOf(keyIn(wide))).id).toBe(account)
  })

  it('say next to the field what is wrong with a key', async () => {
    const visitor = await registered()
    const { account } = await taken(visitor)
    const others = await taken(await registered())
    const form = { action: 'create_key', account, name: 'A key' }
    const wrong: [Record<string, string>, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 'a'.repeat(201) }, 'name'],
      [{ name: 'a\u202eb' }, 'name'],
      [{ scope: 'absent' }, 'scope'],
      [{ scope: others.agent }, 'scope'],
      [{ scope: 'a'.repeat(200) }, 'scope'],
    ]
    for (const [more, field] of wrong) {
      const page = await visitor.post(settings, { ...form, ...more })
      expect(page.status, JSON.stringify(more)).toBe(422)
      expect(page.text).toContain(`id="${field}-problem" role="alert"`)
      expect(page.heading).toBe('Settings')
      expect(isAt(page, account)).toBe(true)
    }
  })

  it('ask before a key is revoked', async () => {
    const visitor = await registered()
    const { account, key } = await taken(visitor)
    const page = await visitor.get(`${settings}?account=${account}`)
    const [, asking = ''] = /href="([^"]*revoke=[^"]*)"/.exec(page.text) ?? []
    const asked = await visitor.get(asking.replaceAll('&amp;', '&'))
    expect(asked.heading).toBe('Revoke this key?')
    expect(asked.text).toContain('It is the last key of the whole account')
    expect((await statusOf(key)).status).toBe(200)
    const key_id = fieldOf(asked, 'key_id')
    const revoked = await visitor.post(settings, { action: 'revoke_key', account, key_id })
    expect(revoked.status).toBe(303)
    const after = await visitor.get(revoked.goesTo)
    expect(after.text).toContain('The key was revoked.')
    expect(after.text).toContain('revoked on')
    expect(
      (await server.ask('/api/account', { headers: { authorization: `Bearer ${key}` } })).status,
    ).toBe(401)
    expect((await visitor.get(asking.replaceAll('&amp;', '&'))).status).toBe(404)
  })

  it('say of no key that it is the last while another works', async () => {
    const visitor = await registered()
    const { account, key } = await taken(visitor)
    const { id } = await post<{ id: string }>('/api/api-keys/', { name: 'Second' }, key)
    const asked = await visitor.get(`${settings}?account=${account}&revoke=${id}`)
    expect(asked.heading).toBe('Revoke this key?')
    expect(asked.text).not.toContain('last key')
  })

  it('show and change nothing of the accounts of others', async () => {
    const owner = await registered()
    const { account, key } = await taken(owner)
    const page = await owner.get(`${settings}?account=${account}`)
    const [, key_id = ''] = /revoke=(key_\w+)/.exec(page.text) ?? []
    const other = await registered()
    expect(await other.get(`${settings}?account=${account}`)).toMatchObject({ status: 404 })
    expect((await other.get(`${settings}?revoke=${key_id}`)).status).toBe(404)
    expect((await other.get(`${settings}?account=acc_0`)).status).toBe(404)
    for (const form of [{ account }, { account: '' }]) {
      const sent = await other.post(settings, { ...form, action: 'revoke_key', key_id })
      expect([403, 404]).toContain(sent.status)
    }
    const made = await other.post(settings, { action: 'create_key', account, name: 'Mine' })
    expect(made.status).toBe(404)
    expect((await statusOf(key)).status).toBe(200)
    expect((await owner.get(`${settings}?account=${account}`)).text).not.toContain('Mine')
  })

  it('let one choose between the accounts that one holds', async () => {
    const visitor = await registered()
    expect((await visitor.get(settings)).text).not.toContain('Your accounts')
    const first = await taken(visitor, markup)
    const second = await taken(visitor, 'Second')
    // The one that was taken over last is shown.
    const shown = await visitor.get(settings)
    for (const { account } of [first, second]) expect(shown.text).toContain(`?account=${account}"`)
    expect(shown.text).toContain('Your accounts')
    expect(shown.text).toContain('Keys of <bdi>Second</bdi>')
    expect(shown.text).not.toContain('<script>')
    const page = await visitor.get(`${settings}?account=${first.account}`)
    expect(page.text).toMatch(new RegExp(`account=${first.account}"\\s+aria-current="page"`))
    await visitor.post('/account', {})
    expect((await visitor.get(settings)).text).toContain('Keys of your own account')
  })

  it('render no markup from names', async () => {
    const visitor = await registered()
    const { account, key } = await taken(visitor, markup)
    const { id } = await post<{ id: string }>('/api/characters/', { name: markup }, key)
    await post('/api/api-keys/', { name: markup, scope_char_id: id }, key)
    const browser = pageVisitor(url)
    browser.cookie = visitor.cookie
    const pages = [
      await visitor.get(`${settings}?account=${account}`),
      await visitor.get(`${settings}?account=${encodeURIComponent(markup)}`),
      await visitor.get(`${settings}?done=${encodeURIComponent(markup)}`),
      await visitor.post(settings, { action: 'create_key', account, name: markup, scope: markup }),
      await visitor.post(settings, { action: 'create_key', account, name: markup }),
      await visitor.post('/sign-in', { action: 'sign_in', email: markup, password, next: markup }),
      await visitor.post('/sign-in', { ...registering(markup), next: `/${markup}` }),
    ]
    for (const { text } of pages) {
      expect(text).not.toContain('<script>')
      expect(text).not.toContain('<img')
    }
    expect(pages[0]?.text).toContain('&lt;script&gt;')
  })

  it('take the id of an agent where there are too many to choose from', async () => {
    const visitor = await registered()
    const { account, agent } = await taken(visitor)
    const { store } = server.abode.ports
    const one = await store.characters.get(agent)
    if (!one) throw new Error('the agent is not there')
    for (let nth = 0; nth < 60; nth++) {
      await store.characters.insert({ ...one, id: `${agent}-${nth}` })
    }
    await store.usage.update({ id: account }, { $inc: { agents: 60 } })
    const page = await visitor.get(`${settings}?account=${account}`)
    expect(page.text).toContain('<datalist')
    const scope = `${agent}-0`
    const made = await visitor.post(settings, { action: 'create_key', account, name: 'A', scope })
    expect(keyIn(made)).toMatch(/^ab_/)
  })

  it('show all keys, page by page', async () => {
    const visitor = await registered()
    const { account, key } = await taken(visitor)
    for (let nth = 0; nth < 60; nth++) await post('/api/api-keys/', { name: `Nr ${nth}.` }, key)
    const page = await visitor.get(`${settings}?account=${account}`)
    expect(page.text).toContain('Nr 59.')
    expect(page.text).not.toContain('Nr 5.')
    const [, older = ''] = /href="([^"]*)">Older keys/.exec(page.text) ?? []
    expect((await visitor.get(older.replaceAll('&amp;', '&'))).text).toContain('Nr 5.')
    expect((await visitor.get(`${settings}?keys=broken`)).status).toBe(400)
  })
})

describe('sessions', () => {
  it('are listed, and end where one says so', async () => {
    const email = newEmail()
    const visitor = await registered(email)
    const other = pageVisitor(url)
    await other.post('/sign-in', { action: 'sign_in', email, password })
    const page = await visitor.get(settings)
    expect(page.text.match(/This browser/g)).toHaveLength(1)
    const session_id = fieldOf(page, 'session_id')
    const stranger = await registered()
    await stranger.post(settings, { action: 'end_session', session_id })
    expect((await other.get(settings)).status).toBe(200)
    const ended = await visitor.post(settings, { action: 'end_session', session_id })
    expect(ended.status).toBe(303)
    expect((await visitor.get(ended.goesTo)).text).toContain('That browser is signed out.')
    expect((await other.get(settings)).goesTo).toMatch(/^\/sign-in/)
    expect((await visitor.get(settings)).status).toBe(200)
  })

  it('are never one that another person has put into the browser', async () => {
    const mallory = await registered()
    const planted = mallory.cookie
    const visitor = pageVisitor(url)
    visitor.cookie = planted
    const email = newEmail()
    await visitor.post('/sign-in', registering(email))
    expect(visitor.cookie).not.toBe(planted)
    expect((await visitor.get(settings)).text).toContain(email)
    mallory.cookie = planted
    expect((await mallory.get(settings)).goesTo).toMatch(/^\/sign-in/)
    const invented = pageVisitor(url)
    invented.cookie = 'abode_session=abs_chosen'
    await invented.post('/sign-in', { action: 'sign_in', email, password })
    expect(invented.cookie).toMatch(/^abode_session=abs_\w{38}$/)
  })

  it('end by signing out, here and on the API', async () => {
    const visitor = await registered()
    const { cookie } = visitor
    expect((await visitor.call('GET', '/api/auth/me')).status).toBe(200)
    expect((await visitor.get('/sign-out')).heading).toBe('Sign out')
    const out = await visitor.post('/sign-out', {})
    expect(out).toMatchObject({ status: 303, goesTo: '/sign-in' })
    expect(visitor.cookie).toBeUndefined()
    visitor.cookie = cookie
    expect((await visitor.call('GET', '/api/auth/me')).status).toBe(401)
    const again = await visitor.post('/sign-out', { next: '/claim/act_1' })
    expect(again).toMatchObject({ status: 303, goesTo: '/claim/act_1' })
    expect(visitor.cookie).toBeUndefined()
    expect((await visitor.get('/sign-out')).goesTo).toBe('/sign-in')
  })

  it('end here too, where one says so of this browser', async () => {
    const visitor = await registered()
    const me = await (await visitor.call('GET', '/api/auth/me')).json()
    const { session } = me as { session: { id: string } }
    await visitor.post(settings, { action: 'end_session', session_id: session.id })
    expect(visitor.cookie).toBeUndefined()
  })

  it('are not ended by a page of others', async () => {
    const visitor = await registered()
    const page = await visitor.post('/sign-out', {}, { origin: 'https://elsewhere.example' })
    expect(page.status).toBe(403)
    expect((await visitor.get(settings)).status).toBe(200)
  })
})

describe('signing in', () => {
  it('leads on to a path of this server, and to no other site', async () => {
    const email = newEmail()
    await registered(email)
    const goesTo: [string, string][] = [
      ['/claim/act_1?reject', '/claim/act_1?reject'],
      ['//elsewhere.example', '/home'],
      ['/\\elsewhere.example', '/home'],
      ['/.//elsewhere.example', '/home'],
      ['https://elsewhere.example', '/home'],
    ]
    for (const [next, path] of goesTo) {
      const visitor = pageVisitor(url)
      const form = { action: 'sign_in', email, password, next }
      expect((await visitor.post('/sign-in', form)).goesTo, next).toBe(path)
      const query = new URLSearchParams({ next }).toString()
      expect((await visitor.get(`/sign-in?${query}`)).goesTo, next).toBe(path)
      expect((await visitor.post('/sign-out', { next })).goesTo).toBe(
        path === '/home' ? '/sign-in' : path,
      )
    }
  })

  it('says next to the field what is wrong', async () => {
    const email = newEmail()
    await registered(email)
    const visitor = pageVisitor(url)
    const wrong: [Record<string, string>, number, string, string][] = [
      [{ email: 'no address' }, 422, 'email', 'Enter your e-mail address'],
      [{ email: `${'a'.repeat(300)}@example.org` }, 422, 'email', 'Enter your e-mail address'],
      [{ email }, 409, 'email', 'registered already'],
      [{ password: 'short' }, 422, 'password', 'of 10 to'],
      [{ password: 'ä'.repeat(1000) }, 422, 'password', 'of 10 to'],
    ]
    for (const [more, status, field, says] of wrong) {
      const form = { ...registering(newEmail()), next: '/claim/act_1', ...more }
      const page = await visitor.post('/sign-in', form)
      expect(page.status, JSON.stringify(more)).toBe(status)
      expect(page.heading).toBe('Register')
      const [problem = ''] =
        new RegExp(`<p[^>]*id="${field}-problem"[^>]*>[^<]*`).exec(page.text) ?? []
      expect(problem).toContain('role="alert"')
      expect(problem.replace(/\s+/g, ' ')).toContain(says)
      expect(page.text).toMatch(/aria-invalid="true"/)
      expect(fieldOf(page, 'next')).toBe('/claim/act_1')
      expect(fieldOf(page, 'password')).toBe('')
      expect(visitor.cookie).toBeUndefined()
    }
    const huge = { action: 'sign_in', email, password: 'a'.repeat(20_000) }
    expect((await visitor.post('/sign-in', huge)).status).toBe(413)
  })

  it('takes a password of any letters, as long as there may be', async () => {
    const email = newEmail()
    const long = '\u{1f511}'.repeat(100)
    const visitor = pageVisitor(url)
    const form = { email, password: long }
    expect((await visitor.post('/sign-in', { ...form, action: 'register' })).status).toBe(303)
    expect((await visitor.post('/sign-in', { ...form, action: 'sign_in' })).status).toBe(303)
  })
})

it('says how long to wait after too many tries', async () => {
  await using slow = await serving({ ABODE_RATE_LIMITS: 'passwords=2/900' }, catalog)
  const visitor = pageVisitor(slow.url)
  const form = { action: 'sign_in', email: newEmail(), password }
  expect((await visitor.post('/sign-in', form)).status).toBe(422)
  expect((await visitor.post('/sign-in', form)).status).toBe(422)
  const page = await visitor.post('/sign-in', form)
  expect(page.status).toBe(429)
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(page.text).toMatch(/role="alert"[^]*That was too often\. Wait \d+ (seconds|minutes)/)
})

it('leads to where the service is reached, also below a path', async () => {
  const PUBLIC_URL = 'https://example.org/abode'
  await using below = await serving({ PUBLIC_URL, ABODE_RATE_LIMITS: 'off' }, catalog)
  const visitor = pageVisitor(below.url)
  const { claim_url } = await claimable(below.url)
  const path = claim_url.slice(PUBLIC_URL.length)
  const form = registering(newEmail())
  const pages = [
    await visitor.get(settings),
    await visitor.get('/sign-in'),
    await visitor.get(path),
    await visitor.post(path, form),
    await visitor.get(path),
    await visitor.get(`${path}?reject`),
    await visitor.post(path, { action: 'complete' }),
    await visitor.get(path),
    await visitor.get(settings),
    await visitor.get('/sign-out'),
    await visitor.post('/sign-out', {}),
    await visitor.get(path),
  ]
  for (const { text, goesTo } of pages) {
    expect(goesTo).toMatch(/^$|^\/abode\//)
    const leads = [...text.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, to]) => to)
    for (const to of leads) expect(to).toMatch(/^#main$|^\/abode\//)
  }
})
