import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { catalog } from '#src/catalog.ts'
import { randomHex } from '#src/core/ids.ts'
import { Unavailable } from '#src/ports/store.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { call, claimable } from '#tests/support/rest/call.ts'
import { newEmail, pageVisitor, registeredVisitor, registering } from './page-visitor.ts'
import { password } from './persons.ts'

const day = 86_400_000
const markup = `<script>alert(1)</script><img src=x onerror='alert("1")'> & "co"`
const elsewhere = 'https://elsewhere.example'

let server: Serving
let url = ''
/** By how much the server's clock is ahead. */
let ahead = 0
const clock = { ...systemClock, now: () => new Date(Date.now() + ahead) }

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog, { clock })
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  ahead = 0
})

const registered = (email?: string) => registeredVisitor(url, email)
const post = <T>(path: string, body: object, key?: string) => call<T>(url, 'POST', path, key, body)

async function linked(name = 'Ada') {
  const { claim_url, token, api_key: key } = await claimable(url, name)
  return { path: new URL(claim_url).pathname, token, key }
}

const statusOf = async (token: string) =>
  (await server.ask(`/api/agent-claim/status?token=${token}`)).body as Record<string, unknown>

describe('the page of a claim', () => {
  it('says what it is for, and changes nothing by being opened', async () => {
    const { path, key, token } = await linked('Ada')
    await post('/api/characters/', { name: 'Researcher', id: `r-${randomHex(6)}` }, key)
    const before = JSON.stringify(await server.abode.ports.store.claims.find({}))
    const visitor = pageVisitor(url)
    const page = await visitor.get(path)
    expect(page.status).toBe(200)
    expect(page.heading).toBe('Take over the account of an agent')
    for (const part of ['Ada', 'Researcher', 'The link works until', 'Live keys', 'Never used']) {
      expect(page.text).toContain(part)
    }
    expect((await fetch(url + path, { method: 'HEAD' })).status).toBe(200)
    expect(JSON.stringify(await server.abode.ports.store.claims.find({}))).toBe(before)
    expect(await statusOf(token)).toMatchObject({ status: 'active', api_key: key })
    expect(visitor.cookie).toBeUndefined()
  })

  it('registers in place and takes over, and the key works as before', async () => {
    const { path, token, key } = await linked()
    const visitor = pageVisitor(url)
    const email = newEmail()
    const entered = await visitor.post(path, registering(email))
    expect(entered).toMatchObject({ status: 303, goesTo: path })
    expect(await statusOf(token)).toMatchObject({ status: 'active' })
    const asked = await visitor.get(path)
    expect(asked.text).toContain(`You are signed in as <bdi>${email}</bdi>`)
    const taken = await visitor.post(path, { action: 'complete' })
    expect(taken).toMatchObject({ status: 303, goesTo: path })
    expect((await visitor.get(path)).heading).toBe('This account is yours')
    const { owner_id, api_key } = await statusOf(token)
    expect(owner_id).toMatch(/^usr_/)
    expect(api_key).toBe(key)
    const again = await visitor.post(path, { action: 'complete' })
    expect(again.status).toBe(303)
  })

  it('signs in in place, and says next to the field what was wrong', async () => {
    const { path } = await linked()
    const email = newEmail()
    await registered(email)
    const visitor = pageVisitor(url)
    const form = await visitor.get(`${path}?sign-in`)
    expect(form.text).toContain('autocomplete="current-password"')
    const wrong = await visitor.post(`${path}?sign-in`, {
      action: 'sign_in',
      email,
      password: 'not the password',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/id="password-problem" role="alert"/)
    expect(wrong.text).toMatch(
      /aria-describedby="password-problem"\s+aria-invalid="true"\s+autofocus/,
    )
    expect(wrong.text).toContain(`value="${email}"`)
    expect(wrong.text).not.toContain('not the password')
    expect(visitor.cookie).toBeUndefined()
    const entered = await visitor.post(path, { action: 'sign_in', email, password })
    expect(entered).toMatchObject({ status: 303, goesTo: path })
  })

  it('asks before it rejects, and then ends the keys', async () => {
    const { path, token, key } = await linked()
    const visitor = await registered()
    const asking = await visitor.get(`${path}?reject`)
    expect(asking.heading).toBe('Reject this account?')
    expect(await statusOf(token)).toMatchObject({ status: 'active' })
    expect((await visitor.post(path, { action: 'reject' })).goesTo).toBe(path)
    const rejected = await visitor.get(path)
    expect(rejected).toMatchObject({ status: 410, heading: 'This link was rejected' })
    const headers = { authorization: `Bearer ${key}` }
    expect((await server.ask('/api/account', { headers })).status).toBe(401)
    expect(await statusOf(token)).toMatchObject({ code: 'claim_not_found' })
    const other = await registered()
    expect((await other.post(path, { action: 'complete' })).status).toBe(410)
    expect((await pageVisitor(url).get(path)).status).toBe(410)
  })

  it('is another for a link that was used, is wrong, or is too old', async () => {
    const { path } = await linked()
    const owner = await registered()
    await owner.post(path, { action: 'complete' })
    const other = await registered()
    const used = await other.post(path, { action: 'complete' })
    expect(used).toMatchObject({ status: 409, heading: 'This link was used' })
    expect((await other.post(path, { action: 'reject' })).status).toBe(409)
    const stranger = await pageVisitor(url).get(path)
    expect(stranger).toMatchObject({ status: 409, heading: 'This link was used' })
    expect(stranger.text).toContain(`/sign-in?next=${encodeURIComponent(path)}`)
    expect(stranger.text).not.toContain('Ada')
    expect((await owner.get(path)).status).toBe(200)

    for (const wrong of [
      'act_1',
      `${path.slice(7)}x`,
      '',
      '%ff',
      'a/b',
      `act_${'0'.repeat(4000)}`,
    ]) {
      const page = await owner.get(`/claim/${wrong}`)
      expect(page.status, wrong).toBe(wrong === '%ff' ? 400 : 404)
    }
    expect((await owner.get('/claim/act_1')).heading).toBe('This link leads nowhere')
    expect((await owner.post('/claim/act_1', { action: 'complete' })).status).toBe(404)

    const late = await linked()
    // An account that did nothing for 90 days would be closed, whenever the upkeep comes to it.
    ahead = 45 * day
    const headers = { authorization: `Bearer ${late.key}` }
    expect((await server.ask('/api/account', { headers })).status).toBe(200)
    ahead = 90 * day - 60_000
    const visitor = await registered()
    expect((await visitor.get(late.path)).status).toBe(200)
    ahead = 90 * day + 60_000
    expect(await visitor.get(late.path)).toMatchObject({
      status: 410,
      heading: 'This link has expired',
    })
    expect((await visitor.post(late.path, { action: 'complete' })).status).toBe(410)
    expect((await server.ask('/api/account', { headers })).status).toBe(200)
  })

  it('gives the account to one of two persons at once, and tells the other', async () => {
    for (let round = 0; round < 5; round++) {
      const { path, token } = await linked()
      const visitors = [await registered(), await registered()]
      const pages = await Promise.all(visitors.map((one) => one.post(path, { action: 'complete' })))
      expect(pages.map(({ status }) => status).sort((a, b) => a - b)).toEqual([303, 409])
      const winner = visitors[pages.findIndex(({ status }) => status === 303)]
      expect((await winner?.get(path))?.heading).toBe('This account is yours')
      expect(await statusOf(token)).toMatchObject({ status: 'claimed' })
    }
  })

  it('accepts no decision from a person who has signed out meanwhile', async () => {
    const { path, token } = await linked()
    const visitor = await registered()
    const { cookie } = visitor
    await visitor.post('/sign-out', {})
    visitor.cookie = cookie
    for (const action of ['complete', 'reject']) {
      const page = await visitor.post(path, { action })
      expect(page.status).toBe(200)
      expect(page.text).toContain('You are not signed in any more. Nothing was done')
    }
    expect(await statusOf(token)).toMatchObject({ status: 'active' })
  })

  it('takes nothing from a page of others', async () => {
    const { path, token } = await linked()
    const visitor = await registered()
    const foreign: Record<string, string>[] = [
      { origin: elsewhere },
      { origin: `${url}.elsewhere.example` },
      { origin: 'null' },
      { origin: url, 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'none' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      {},
    ]
    for (const headers of foreign) {
      for (const form of [{ action: 'complete' }, { action: 'reject' }, registering(newEmail())]) {
        const page = await visitor.post(path, form, headers)
        expect(page.status, JSON.stringify([headers, form])).toBe(403)
        expect(page.text).toContain('Nothing was done')
      }
    }
    expect(await statusOf(token)).toMatchObject({ status: 'active' })
    const own = { origin: 'null', 'sec-fetch-site': 'same-origin' }
    expect((await visitor.post(path, { action: 'complete' }, own)).status).toBe(303)
  })

  it('shows names as they are, and renders no markup in them', async () => {
    const { path, key } = await linked(markup)
    await post('/api/characters/', { name: markup, id: `m-${randomHex(6)}` }, key)
    const page = await pageVisitor(url).get(path)
    expect(page.text).not.toContain('<script')
    expect(page.text).not.toContain('<img')
    expect(page.text.split('&lt;script&gt;alert(1)').length - 1).toBe(2)
  })

  it('names fifty of many agents', async () => {
    const { path, key } = await linked()
    const { id } = await server
      .ask('/api/account', { headers: { authorization: `Bearer ${key}` } })
      .then(({ text }) => JSON.parse(text) as { id: string })
    const { store } = server.abode.ports
    const first = await post<{ id: string }>('/api/characters/', { name: 'One' }, key)
    const one = await store.characters.get(first.id)
    if (!one) throw new Error('the agent is not there')
    for (let nth = 1; nth < 500; nth++) {
      await store.characters.insert({ ...one, id: `${first.id}-${nth}`, owner_id: id })
    }
    await store.usage.update({ id }, { $inc: { agents: 499 } })
    const page = await pageVisitor(url).get(path)
    expect(page.text).toContain('and 450 more')
    expect(page.text.length).toBeLessThan(40_000)
  })

  it('says that it is to be loaded again while the store is away', async () => {
    const { path } = await linked()
    const visitor = await registered()
    const { store } = server.abode.ports
    for (const ask of [() => visitor.get(path), () => visitor.post(path, { action: 'complete' })]) {
      const away = vi.spyOn(store.claims, 'find')
      away.mockRejectedValueOnce(new Unavailable('no secret of the store'))
      const page = await ask()
      expect(away).toHaveBeenCalled()
      away.mockRestore()
      expect(page.status).toBe(503)
      expect(page.headers.get('retry-after')).toBe('2')
      expect(page.text).not.toContain('no secret')
    }
    expect((await visitor.post(path, { action: 'complete' })).status).toBe(303)
  })
})
