import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newEmail } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { faultsOf } from '#tests/support/browser/axe.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { colorSchemes, tabsOf, tabTo } from '#tests/support/browser/tabs.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call } from '#tests/support/rest/call.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { makeDesk, type Desk } from '#tests/web/desk.ts'
import { comeIn } from './browser.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 300_000
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1280, height: 800 } }
const live = { javaScriptEnabled: true, bypassCSP: true, timezoneId: 'Europe/Berlin' }

let server: ServerProcess
let mail: WebServer
let isMailUp = false

async function deskHere(): Promise<Desk> {
  isMailUp = false
  return makeDesk(server.url, `${mail.origin}/send`)
}

async function ownedBy(page: Page, { claimUrl }: Desk): Promise<void> {
  await page.goto(claimUrl)
  await comeIn(page, 'Register', { email: newEmail(), password })
  await tabTo(page, 'button', 'Take it over')
  await page.keyboard.press('Enter')
  await tabTo(page, 'link', 'See what it does today')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
}

/** What holds of each page, by day and by night. */
async function expectGood(page: Page, about: string): Promise<void> {
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme })
    const looks = await looksOf(page)
    expect([about, looks.isTooWide, looks.isDark]).toEqual([about, false, colorScheme === 'dark'])
    expect(await faultsOf(page), `${about}, ${colorScheme}`).toEqual([])
  }
}

describe.skipIf(!browser)('a person who looks after agents', () => {
  beforeAll(async () => {
    mail = await startWebServer()
    mail.on('/send', (_, response) => response.writeHead(isMailUp ? 200 : 503).end('{}'))
    const env = { ABODE_RATE_LIMITS: 'off', ABODE_OUTBOUND_ALLOW: mail.origin }
    server = await startServer({ env })
  })
  afterEach(() => tabs.close())
  afterAll(async () => {
    await browser?.close()
    mail.close()
    await server.dispose()
  })

  it(
    'goes by the keyboard alone, without a script, from a claim link to a mail that is sent',
    async () => {
      const desk = await deskHere()
      const { page, complaints } = await tabs.open(desktop)
      await ownedBy(page, desk)
      await tabTo(page, 'link', /^Lena/)
      await page.keyboard.press('Enter')
      await page.getByText('503').first().waitFor()
      isMailUp = true
      await tabTo(page, 'button', 'Retry it')
      await page.keyboard.press('Enter')
      await expect
        .poll(async () => {
          const runs = `/api/runs/?char_id=${desk.writer}&status=completed`
          return (await call<{ items: object[] }>(server.url, 'GET', runs, desk.key)).items.length
        })
        .toBe(1)
      expect(complaints).toEqual([])
    },
    patience,
  )

  it(
    'has another person decide, who changes what is paid back, under their own name',
    async () => {
      const desk = await deskHere()
      const { page } = await tabs.open(desktop)
      await ownedBy(page, desk)
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Make a link' }).click()
      const link = await page.getByRole('textbox', { name: /^The link/ }).inputValue()

      const { page: other } = await tabs.open(phone)
      const email = newEmail()
      await other.goto(link.trim())
      await comeIn(other, 'Register', { email, password })
      await other.getByRole('button', { name: 'Accept' }).click()
      await other.goto(`${server.url}/home`)
      await other.getByRole('link', { name: /^Otto asks for your approval/ }).click()
      await other.getByLabel('The input to go on with').fill('{"order": "order 17", "cents": 2500}')
      await other.getByRole('button', { name: 'Approve' }).click()
      await other.getByRole('heading', { name: 'This was approved' }).waitFor()
      const decided = '/api/approvals/?state=approved'
      const { items } = await call<{ items: Decided[] }>(server.url, 'GET', decided, desk.key)
      expect(items).toMatchObject([{ edited_input: { cents: 2500 } }])
      await page.goto(other.url())
      await page.getByText(`by ${email}`).first().waitFor()
    },
    patience,
  )

  it.each([
    ['a phone', phone],
    ['a desktop', desktop],
  ])(
    'sees on %s what waits and what comes, live, in pages that anyone can use',
    async (_, screen) => {
      const desk = await deskHere()
      const { page } = await tabs.open({ ...live, ...screen })
      await ownedBy(page, desk)
      await expectGood(page, 'today')
      const waits = page.getByRole('link', { name: /^Otto asks for your approval/ })
      expect(await waits.count()).toBe(1)
      const run = `/api/characters/${desk.payer}/tasks/refund/run`
      await call(server.url, 'POST', run, desk.key, { input: { order: 'order 18' } })
      await expect.poll(() => waits.count(), { timeout: 30_000 }).toBe(2)
      for (const [about, path] of Object.entries(placesOf(desk))) {
        await page.goto(server.url + path)
        await expectGood(page, about)
      }
    },
    patience,
  )
})

interface Decided {
  edited_input: unknown
}

function placesOf({ payer, failed }: Desk): Record<string, string> {
  return {
    'the front door': '/',
    'the ways to begin': '/welcome',
    agents: '/agents',
    'an agent': `/agents/${payer}`,
    'a task': `/agents/${payer}/tasks/refund`,
    'a run': `/runs/${failed}`,
    runs: '/runs',
    'what waits': '/needs-you',
    'the schedule': '/schedule',
    settings: '/settings',
    nothing: '/nothing-here',
  }
}
