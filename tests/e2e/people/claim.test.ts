import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { phone, tabsOf, tabTo } from '#tests/support/browser/tabs.ts'
import { startServerOn, type ServerProcess } from '#tests/support/process.ts'
import { call, claimable } from '#tests/support/rest/call.ts'
import { oneStore } from '#tests/support/stores.ts'
import { comeIn } from './browser.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 300_000
const password = 'a few words in a row'

let server: ServerProcess
let people = 0

afterEach(() => tabs.close())
afterAll(async () => {
  await browser?.close()
})

const newPerson = () => ({ email: `person-${(people += 1)}@example.org`, password })
const statusOf = (token: string) =>
  call<{ status: string; owner_id?: string }>(
    server.url,
    'GET',
    `/api/agent-claim/status?token=${token}`,
  )
const answerTo = async (key: string) =>
  (await fetch(`${server.url}/api/account`, { headers: { authorization: `Bearer ${key}` } })).status

describe.skipIf(!browser).each(oneStore())('a claim link in a browser, on $name', (kind) => {
  beforeAll(async () => {
    server = await startServerOn(kind)
  })
  afterAll(() => server.dispose())

  it(
    'is taken over by keyboard alone, and the key of the agent is kept in hand',
    async () => {
      const { claim_url, token, api_key } = await claimable(server.url, 'Ada')
      const agent = await call<{ id: string }>(server.url, 'POST', '/api/characters/', api_key, {
        name: 'Researcher',
      })
      const { page, complaints } = await tabs.open()
      const person = newPerson()
      await page.goto(claim_url)
      expect(await page.getByText('Researcher', { exact: true }).isVisible()).toBe(true)
      expect(await statusOf(token)).toMatchObject({ status: 'active' })
      await tabTo(page, 'textbox', 'E-mail address')
      expect((await looksOf(page)).outlinePixels).toBeGreaterThanOrEqual(2)
      await comeIn(page, 'Register', person)
      await tabTo(page, 'button', 'Take it over')
      expect(await statusOf(token)).toMatchObject({ status: 'active' })
      expect((await looksOf(page)).outlinePixels).toBeGreaterThanOrEqual(2)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'This account is yours' }).waitFor()
      const { status, owner_id } = await statusOf(token)
      expect(status).toBe('claimed')
      expect(owner_id).toMatch(/^usr_/)
      expect(await answerTo(api_key)).toBe(200)

      await tabTo(page, 'link', 'Its keys and settings')
      await page.keyboard.press('Enter')
      await tabTo(page, 'textbox', /^Name$/)
      await page.keyboard.type('For the researcher')
      await tabTo(page, 'combobox', /^For$/)
      await page.keyboard.type('Researcher')
      await tabTo(page, 'button', 'Make the key')
      await page.keyboard.press('Enter')
      const shown = page.getByRole('textbox', { name: 'Your new key' })
      const made = (await shown.inputValue()).trim()
      const acting = await call<{ key: unknown }>(server.url, 'GET', '/api/account', made)
      expect(acting.key).toMatchObject({ name: 'For the researcher', scope_char_id: agent.id })

      await tabTo(page, 'link', 'I have copied it')
      await page.keyboard.press('Enter')
      await tabTo(page, 'link', 'Revoke the key For the researcher')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Revoke this key?' }).waitFor()
      expect(await answerTo(made)).toBe(200)
      await tabTo(page, 'button', 'Revoke the key')
      await page.keyboard.press('Enter')
      await page.getByRole('status').waitFor()
      expect(await answerTo(made)).toBe(401)
      expect(await page.content()).not.toContain(made)

      await tabTo(page, 'button', 'Sign out')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      await page.goto(`${server.url}/settings`)
      await comeIn(page, 'Sign in', person)
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      expect(complaints).toEqual([])
    },
    patience,
  )

  it(
    'is found used by another person, and leads its owner on',
    async () => {
      const { claim_url } = await claimable(server.url, 'Ada')
      const { page: first } = await tabs.open()
      const owner = newPerson()
      await first.goto(claim_url)
      await comeIn(first, 'Register', owner)
      await first.getByRole('button', { name: 'Take it over' }).click()
      await first.getByRole('heading', { name: 'This account is yours' }).waitFor()
      const { page, complaints } = await tabs.open(phone)
      const answer = await page.goto(claim_url)
      expect(answer?.status()).toBe(409)
      await page.getByRole('heading', { level: 1, name: 'This link was used' }).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: 'Register' }).click()
      await comeIn(page, 'Register', newPerson())
      await page.waitForURL(claim_url)
      await page.getByText('It is not held by you').waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await comeIn(page, 'Sign in', owner)
      await page.getByRole('heading', { level: 1, name: 'This account is yours' }).waitFor()
      // The browser itself says that a page was answered with 409.
      const said = complaints.filter((text) => !text.includes('409'))
      expect(said).toEqual([])
    },
    patience,
  )

  it(
    'is rejected behind a step that asks, and its keys end',
    async () => {
      const { claim_url, token, api_key } = await claimable(server.url, 'Ada')
      const { page } = await tabs.open(phone)
      await page.goto(claim_url)
      await comeIn(page, 'Register', newPerson())
      await page.getByRole('link', { name: 'Reject it…' }).click()
      await page.getByRole('heading', { level: 1, name: 'Reject this account?' }).waitFor()
      await page.getByRole('link', { name: 'Go back' }).click()
      expect(await statusOf(token)).toMatchObject({ status: 'active' })
      expect(await answerTo(api_key)).toBe(200)
      await page.getByRole('link', { name: 'Reject it…' }).click()
      await page.getByRole('button', { name: 'Reject it and end its keys' }).click()
      await page.getByRole('heading', { level: 1, name: 'This link was rejected' }).waitFor()
      expect(await answerTo(api_key)).toBe(401)
      await expect(statusOf(token)).rejects.toThrow('claim_not_found')
    },
    patience,
  )

  it(
    'goes to one of two persons who take it over at once',
    async () => {
      const { claim_url, token } = await claimable(server.url, 'Ada')
      const both = [await tabs.open(), await tabs.open(phone)]
      for (const { page } of both) {
        await page.goto(claim_url)
        await comeIn(page, 'Register', newPerson())
        await page.getByRole('button', { name: 'Take it over' }).waitFor()
      }
      await Promise.all(
        both.map(({ page }) => page.getByRole('button', { name: 'Take it over' }).click()),
      )
      const headings = await Promise.all(
        both.map(({ page }) => page.getByRole('heading', { level: 1, name: /^This/ }).innerText()),
      )
      expect(headings.sort()).toEqual(['This account is yours', 'This link was used'])
      expect(await statusOf(token)).toMatchObject({ status: 'claimed' })
    },
    patience,
  )

  it(
    'takes no post of another site, with any session in the browser',
    async () => {
      const { claim_url, token } = await claimable(server.url, 'Ada')
      const { page } = await tabs.open()
      await page.goto(claim_url)
      await comeIn(page, 'Register', newPerson())
      await page.getByRole('button', { name: 'Take it over' }).waitFor()
      // The last is of another origin and yet of the same site: there the cookie goes along.
      const others = ['http://localhost:8099/', 'http://127.0.0.1:8099/']
      for (const from of ['about:blank', ...others]) {
        await page.route(from, (route) =>
          route.fulfill({ contentType: 'text/html', body: '<p>Elsewhere</p>' }),
        )
        await page.goto(from)
        await page.setContent(
          `<form method="post" action="${claim_url}"><button name="action" value="complete">Win</button></form>`,
        )
        await page.getByRole('button').click()
        await page.getByText('Nothing was done').waitFor()
        expect(await statusOf(token)).toMatchObject({ status: 'active' })
      }
    },
    patience,
  )

  it(
    'leaves no one signed in as the person who has put a session into the browser',
    async () => {
      const { page: own } = await tabs.open()
      await own.goto(`${server.url}/sign-in?register`)
      await comeIn(own, 'Register', newPerson())
      await own.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
      const [planted] = await own.context().cookies()
      if (!planted) throw new Error('there is no session')
      expect(planted).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      const { page } = await tabs.open()
      await page.context().addCookies([planted])
      const { claim_url } = await claimable(server.url, 'Ada')
      await page.goto(claim_url)
      await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
      const person = newPerson()
      await comeIn(page, 'Register', person)
      await page.getByText(`You are signed in as ${person.email}`).waitFor()
      const kept = await page.context().cookies()
      expect(kept.map(({ value }) => value)).not.toContain(planted.value)
      await own.goto(`${server.url}/settings`)
      await own.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    },
    patience,
  )

  it(
    'leads from signing in to no other site',
    async () => {
      const person = newPerson()
      const { page } = await tabs.open()
      await page.goto(`${server.url}/sign-in?register&next=//elsewhere.example/`)
      await comeIn(page, 'Register', person)
      await page.waitForURL(`${server.url}/home`)
    },
    patience,
  )
})
