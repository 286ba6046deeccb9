import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { authenticator, type Asked } from '#tests/accounts/passkeys/authenticator.ts'
import { newEmail, pageVisitor, registeredVisitor } from '#tests/accounts/people/page-visitor.ts'
import { password, signedInPerson } from '#tests/accounts/people/persons.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { faultsOf } from '#tests/support/browser/axe.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { tabsOf } from '#tests/support/browser/tabs.ts'

const here = '/settings/security'
const browser = await browserHere()
const tabs = tabsOf(browser)

let server: Serving
/** Browsers have passkeys for names alone. */
let url = ''
beforeAll(async () => {
  const port = String(await freePort())
  url = `http://localhost:${port}`
  const env = { PORT: port, PUBLIC_URL: url, ABODE_RATE_LIMITS: 'off' }
  server = await serving(env, catalog)
})
afterEach(() => tabs.close())
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await browser?.close()
})

async function freePort(): Promise<number> {
  const held = createServer().listen(0, '127.0.0.1')
  await once(held, 'listening')
  const { port } = held.address() as AddressInfo
  held.close()
  await once(held, 'close')
  return port
}

/** Gives the browser of a page a device that keeps passkeys and knows its person. */
async function withDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true }
  const person = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    // The names are those of the protocol.
    options: { ...options, ...person } as never,
  })
}

/** Makes the sessions of a person some of an hour ago. */
async function longAgo(email: string): Promise<void> {
  const { persons, sessions } = server.abode.ports.store
  const [person] = await persons.find({ email_key: email }, { limit: 1 })
  const created_at = new Date(Date.now() - 3_600_000).toISOString()
  for (const { id } of await sessions.find({ person_id: person?.id ?? '' })) {
    await sessions.update({ id }, { $set: { created_at } })
  }
}

describe.skipIf(!browser)('a person with a device that keeps passkeys', () => {
  it('adds one, signs in by it, shows by it that it is them, and deletes it', async () => {
    const { page, complaints } = await tabs.open({ javaScriptEnabled: true })
    page.setDefaultTimeout(10_000)
    await withDevice(page)
    const email = newEmail()
    await page.goto(`${url}/sign-in?register`)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.goto(url + here)
    const adding = page.getByRole('form', { name: 'Add a passkey' })
    await adding.getByLabel('Name of a new passkey').fill('My telephone')
    await adding.getByRole('button').click()
    await page.getByText('The passkey is added').waitFor()
    await page.getByText('not used yet').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await adding.getByRole('button').click()
    await adding.getByText('has a passkey for this service already').waitFor()

    await page.context().clearCookies()
    await page.goto(`${url}/sign-in?next=${encodeURIComponent(here)}`)
    const enter = page.getByRole('button', { name: 'Sign in with a passkey' })
    await enter.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await enter.click()
    await page.getByText('last used').waitFor()
    expect(new URL(page.url()).pathname).toBe(here)

    await longAgo(email)
    await page.getByRole('button', { name: 'Delete My telephone' }).click()
    await page.getByRole('heading', { name: 'Show that it is you' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.getByText('It is you. Go on').waitFor()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('The passkey is deleted.').waitFor()
    await page.getByText('You have none').waitFor()

    await page.context().clearCookies()
    await page.goto(`${url}/sign-in`)
    await enter.click()
    await page.getByRole('alert').waitFor()
    // A browser reports the status of each refusal, and has hints for forms.
    const others = complaints.filter((text) => !/status of (?:403|422)|^\[DOM\]/.test(text))
    expect(others).toEqual([])
  }, 60_000)

  it('loses nothing without a script', async () => {
    const { page } = await tabs.open()
    await page.goto(`${url}/sign-in`)
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })
})

describe('the pages of passkeys', () => {
  const ownDevice = () => authenticator(url)
  /** A person with a passkey, as their browser has it. */
  async function holding(name = 'My telephone') {
    const { ports } = server.abode
    const person = await signedInPerson(ports)
    const visitor = pageVisitor(url)
    visitor.cookie = `abode_session=${person.token}`
    const device = ownDevice()
    const asked = await visitor.call('POST', '/api/auth/passkeys/options')
    const made = device.made((await asked.json()) as Asked)
    const form = { action: 'create_passkey', passkey_name: name, ...made }
    return { person, visitor, device, added: await visitor.post(here, form) }
  }
  const asking = async () =>
    (await (await pageVisitor(url).call('POST', '/api/auth/passkey/options')).json()) as Asked

  it('sign in on every page where one signs in, and never by what was sent before', async () => {
    const { device, added } = await holding()
    expect(added.goesTo).toBe(`${here}?done=passkey`)
    for (const path of ['/sign-in', here]) {
      const visitor = pageVisitor(url)
      const sent = {
        action: 'passkey',
        ...device.answered(await asking(), { counter: path.length }),
      }
      await visitor.post(path, sent)
      expect((await visitor.get('/home')).status).toBe(200)
      const again = pageVisitor(url)
      expect([(await again.post(path, sent)).status, again.cookie]).toEqual([422, undefined])
    }
    const foreign = await pageVisitor(url).post(
      '/sign-in',
      { action: 'passkey', ...device.answered(await asking(), { counter: 99 }) },
      { origin: 'https://elsewhere.example' },
    )
    expect(foreign.status).toBe(403)
  })

  it('say what is wrong, show names as texts, and ask who deletes who they are', async () => {
    const odd = await holding(`a\u202eb`)
    expect(odd.added.status).toBe(422)
    expect(odd.added.text).toContain('passkey_name-problem')
    const { person, visitor } = await holding(`<b>"${'x'.repeat(190)}`)
    const page = await visitor.get(here)
    expect(page.text).toContain('&lt;b&gt;')
    const passkey_id = /name="passkey_id" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const rival = await registeredVisitor(url)
    await rival.post(here, { action: 'delete_passkey', passkey_id })
    await longAgo(person.email)
    const asked = await visitor.post(here, { action: 'delete_passkey', passkey_id })
    expect([asked.status, asked.heading]).toEqual([200, 'Show that it is you'])
    const sure = { action: 'delete_passkey', passkey_id, own_password: password }
    const wrong = await visitor.post(here, { ...sure, own_password: 'another' })
    expect([wrong.status, wrong.text.includes('not your password')]).toEqual([422, true])
    expect((await visitor.get(here)).text).toContain(passkey_id)
    expect((await visitor.post(here, sure)).goesTo).toBe(`${here}?done=passkey_gone`)
    expect((await visitor.get(here)).text).not.toContain(passkey_id)
  })

  it('refuse a megabyte, and run scripts from here alone', async () => {
    const sent = { ticket: 't', answer: 'A'.repeat(2 ** 20) }
    const form = await pageVisitor(url).post('/sign-in', { action: 'passkey', ...sent })
    const call = await server.ask('/api/auth/passkey', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
    expect([form.status, call.status]).toEqual([413, 413])
    const { headers, text } = await pageVisitor(url).get('/sign-in')
    expect(headers.get('content-security-policy')).toContain(
      "script-src 'self'; connect-src 'self'",
    )
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/assets/passkeys.js" defer>'])
    const script = await server.ask('/assets/passkeys.js')
    expect(script.headers.get('content-type')).toContain('javascript')
    expect(script.text.length).toBeLessThan(20_000)
  })
})
