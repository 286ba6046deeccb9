import { afterAll, beforeAll, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { registering } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { Browser } from '#tests/oauth/browser.ts'
import { randomHex } from '#src/core/ids.ts'
import { agreedIn, begun, exchanged, registered } from '#tests/oauth/program.ts'
import { oneStore, stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { domain, provided, type Provided } from './provided.ts'

describe.each(stores())('a person whom a provider names, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let made: Provided
  let browser: Browser
  let email = ''
  beforeAll(async () => {
    made = await provided(kind)
  })
  afterAll(() => made.close())
  beforeEach(() => {
    browser = new Browser(made.url)
    email = `${randomHex(6)}@${domain}`
    made.company.person = { sub: randomHex(6), email, email_verified: true }
    made.other.person = { sub: randomHex(6), email: `e${email}`, email_verified: true }
  })

  const named = async (address: string) =>
    (await made.persons()).filter((person) => person.email_key === address)

  it('gets an account, and is the same person the next time, also under another address', async () => {
    expect(await made.signsIn(browser)).toMatchObject({ status: 303, goesTo: '/settings' })
    const first = await made.me(browser)
    expect(first).toMatchObject({ email })
    made.company.person.email = `${randomHex(6)}@${domain}`
    const again = new Browser(made.url)
    expect((await made.signsIn(again)).status).toBe(303)
    expect(await made.me(again)).toEqual(first)
    expect(await named(email)).toMatchObject([{ password: null }])
  })

  it('is another person for another subject of the provider, or the same one of another', async () => {
    await made.signsIn(browser)
    made.other.person = { ...made.company.person, email: `x${email}` }
    const second = new Browser(made.url)
    await made.signsIn(second, made.other)
    expect((await made.me(second))?.id).not.toBe((await made.me(browser))?.id)
    expect(await made.me(second)).toMatchObject({ email: `x${email}` })
  })

  it('is in the audit with who has named them, and signs out like anyone', async () => {
    await made.signsIn(browser)
    const { text } = await browser.call('/api/account/audit')
    const { items } = JSON.parse(text) as { items: object[] }
    expect(items[0]).toMatchObject({
      operation: 'auth.login',
      about: { by: made.company.issuer, session_id: expect.stringMatching(/^ses_/) as string },
    })
    expect((await browser.post('/sign-out', {})).status).toBe(303)
    expect(await made.me(browser)).toBeUndefined()
  })

  it('has no password that anyone could guess', async () => {
    await made.signsIn(browser)
    for (const guess of ['null', 'undefined', password]) {
      const form = { action: 'sign_in', email, password: guess }
      expect((await browser.post('/sign-in', form)).status).toBe(422)
    }
  })

  itOnEach('becomes one person, when many browsers come at once', async () => {
    const browsers = Array.from({ length: 6 }, () => new Browser(made.url))
    const paths: string[] = []
    for (const one of browsers) paths.push(await made.leaves(one, made.leaving(made.company)))
    const shown = await Promise.all(browsers.map((one, i) => one.get(paths[i] ?? '')))
    expect(shown.map(({ status }) => status)).toEqual(browsers.map(() => 303))
    const ids = await Promise.all(browsers.map(async (one) => (await made.me(one))?.id))
    expect(new Set(ids).size).toBe(1)
    expect(await named(email)).toHaveLength(1)
  })

  it('is the one of their address, where the provider speaks for that: the password, its sessions and programs end', async () => {
    const before = new Browser(made.url)
    await before.post('/sign-in', registering(email))
    const person = await made.me(before)
    const program = await registered(made.url)
    const request = await begun(program)
    const tokens = await exchanged(program, request, await agreedIn(before, request))
    expect((await made.signsIn(browser)).status).toBe(303)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await fetch(`${made.url}/api/account`, { headers })).status).toBe(401)
    expect(await made.me(browser)).toEqual({ ...person, email_verified: true })
    expect(await made.me(before)).toBeUndefined()
    const form = { action: 'sign_in', email, password }
    expect((await before.post('/sign-in', form)).status).toBe(422)
    const { text } = await browser.call('/api/account/audit')
    expect((JSON.parse(text) as { items: object[] }).items[0]).toMatchObject({
      operation: 'auth.login',
      changed: ['identities', 'password'],
    })
  })

  it('is the one of their address in the browser in which they are signed in, too', async () => {
    await browser.post('/sign-in', registering(email))
    const person = await made.me(browser)
    expect((await made.signsIn(browser)).status).toBe(303)
    expect(await made.me(browser)).toEqual({ ...person, email_verified: true })
  })

  it('is not the one of their address, where the provider does not speak for it', async () => {
    const before = new Browser(made.url)
    await before.post('/sign-in', registering(email))
    made.other.person.email = email
    const shown = await made.signsIn(browser, made.other)
    expect(shown.status).toBe(409)
    expect(shown.text).toContain('Sign in by its password')
    expect(await made.me(browser)).toBeUndefined()
    expect(await made.me(before)).toMatchObject({ email })
  })

  it.each([
    ['of another domain', { email: 'ada@other.example' }],
    ['of a domain below it', { email: `ada@eu.${domain}` }],
    ['that only begins with it', { email: `ada@${domain}.other.example` }],
    ['that is not verified', { email_verified: false }],
    ['of which nothing is said', { email_verified: undefined }],
    ['verified by a text', { email_verified: 'true' }],
    ['that is no address', { email: `<script>@${domain}` }],
    ['that is none', { email: undefined }],
  ])('is refused by the company with an address %s, and another time too', async (_, change) => {
    await made.signsIn(browser)
    const before = await made.persons()
    const right = made.company.person
    for (const sub of [right.sub, randomHex(6)]) {
      made.company.person = { ...right, ...change, sub }
      const one = new Browser(made.url)
      const shown = await made.signsIn(one)
      expect(shown).toMatchObject({ status: 403, goesTo: '' })
      expect(shown.text).toContain(`does not say that you have an e-mail address of ${domain}`)
      expect(shown.text).not.toMatch(/<script|<b>/)
      expect(await made.me(one)).toBeUndefined()
    }
    expect(await made.persons()).toHaveLength(before.length)
  })

  it.each([
    [{ email_verified: false }, 'has not verified your e-mail address'],
    [{ email: undefined }, 'does not name your e-mail address'],
  ])('needs a verified address the first time alone: %o', async (change, words) => {
    made.other.person = { ...made.other.person, ...change }
    const shown = await made.signsIn(browser, made.other)
    expect(shown.status).toBe(403)
    expect(shown.text).toContain(words)
    made.other.person = { sub: made.other.person.sub, email, email_verified: true }
    expect((await made.signsIn(browser, made.other)).status).toBe(303)
    made.other.person = { ...made.other.person, ...change }
    expect((await made.signsIn(new Browser(made.url), made.other)).status).toBe(303)
  })
})

describe.each(oneStore())(
  'a provider that names addresses only where it is asked for them, on $name',
  (kind) => {
    itOnEach('is asked', async () => {
      const made = await provided(kind, { inIdToken: false })
      try {
        const browser = new Browser(made.url)
        expect((await made.signsIn(browser)).status).toBe(303)
        expect(await made.me(browser)).toMatchObject({ email: `ada@${domain}` })
        expect(made.company.asked.at(-1)).toMatch(/^GET \/me$/)
      } finally {
        await made.close()
      }
    })
  },
)
