import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { stores, type Place } from '#tests/support/stores.ts'

const browser = await browserHere()
const patience = 120_000
let server: ServerProcess
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(async () => {
  await browser?.close()
})

async function call<T>(method: string, path: string, key?: string, body?: object): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const sent = body && JSON.stringify(body)
  const answer = await fetch(server.url + path, { method, headers, body: sent ?? null })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  // The test says what it expects of the operation's answer.
  return JSON.parse(text) as T
}

async function account(): Promise<string> {
  return (await call<{ api_key: string }>('POST', '/api/agent-claim', undefined, {})).api_key
}

const checkout = (key: string, price_id: string) =>
  call<{ url: string }>('POST', '/api/payments/create-checkout-session', key, { price_id })
const portal = (key: string) =>
  call<{ url: string }>('POST', '/api/payments/create-portal-session', key, {})
const available = async (key: string) =>
  (await call<{ available_cents: number }>('GET', '/api/wallet/balance', key)).available_cents

/** A tab of somebody whose browser runs no scripts, and what it has complained about. */
async function opened(options: BrowserContextOptions = {}): Promise<[Page, string[]]> {
  if (!browser) throw new Error('there is no browser')
  const context = await browser.newContext({ javaScriptEnabled: false, ...options })
  closing.push(() => context.close())
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return [page, complaints]
}

/** Goes on by the keyboard alone until this is in focus. */
async function tabTo(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name })
  await wanted.waitFor()
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Tab')
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
  }
  throw new Error(`the keyboard does not come to ${String(name)}`)
}

const testMode = 'Test mode: nothing is charged'

describe.skipIf(!browser).each(stores())('the hosted pages without script, on $name', (kind) => {
  let place: Place
  beforeAll(async () => {
    place = await kind.place()
    const key = { ABODE_MASTER_KEY: '07'.repeat(32) }
    const env = { ...key, ...(place.uri !== undefined && { MONGODB_URI: place.uri }) }
    server = await startServer({ env })
  })
  afterAll(async () => {
    await server.dispose()
    await place.remove()
  })

  it(
    'are paid on by keyboard, and the wallet has it',
    async () => {
      const key = await account()
      const [page, complaints] = await opened()
      await page.goto((await checkout(key, 'top_up_20')).url)
      expect(await page.getByText(testMode).isVisible()).toBe(true)
      expect(await page.getByRole('main').getByRole('heading', { level: 1 }).innerText()).toBe(
        'Pay $20.00',
      )
      await tabTo(page, 'button', 'Pay $20.00')
      expect((await looksOf(page)).outlinePixels).toBeGreaterThanOrEqual(2)
      await page.keyboard.press('Enter')
      await page.waitForURL(`${server.url}/pay/done`)
      expect(await page.getByText('You can close this page').isVisible()).toBe(true)
      expect(await available(key)).toBe(2000)
      await page.goBack()
      await page.reload()
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This is paid')
      expect(await page.getByRole('button').count()).toBe(0)
      expect(await available(key)).toBe(2000)
      expect(complaints).toEqual([])
    },
    patience,
  )

  it(
    'decline a card, and are left without paying',
    async () => {
      const key = await account()
      const { url } = await checkout(key, 'top_up_5')
      const [page, complaints] = await opened()
      await page.goto(url)
      await tabTo(page, 'button', /decline/i)
      await page.keyboard.press('Space')
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('alert').innerText()).toContain('The card was declined')
      await tabTo(page, 'link', /go back/i)
      await page.keyboard.press('Enter')
      await page.waitForURL(`${server.url}/pay/cancelled`)
      expect(await available(key)).toBe(0)
      await page.goto(url)
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.waitForURL(`${server.url}/pay/done`)
      expect(await available(key)).toBe(500)
      expect(complaints).toEqual([])
    },
    patience,
  )

  it(
    'begin a subscription, and end it by keyboard',
    async () => {
      const key = await account()
      const [page, complaints] = await opened()
      await page.goto((await checkout(key, 'supporter_monthly')).url)
      expect(await page.getByText('$9.00 per month').isVisible()).toBe(true)
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.waitForURL(`${server.url}/pay/done`)
      await page.goto((await portal(key)).url)
      expect(await page.getByText(testMode).isVisible()).toBe(true)
      await tabTo(page, 'button', 'Cancel Supporter')
      await page.keyboard.press('Enter')
      await page.getByRole('status').waitFor()
      expect(await page.getByRole('status').innerText()).toContain('has ended')
      expect(await page.getByRole('button').count()).toBe(0)
      expect(await page.getByRole('region', { name: 'Payments' }).innerText()).toContain('$9.00')
      expect(complaints).toEqual([])
    },
    patience,
  )

  it(
    'lead on to another origin, where the server is reached by another name',
    async () => {
      const key = await account()
      const [page, complaints] = await opened()
      const { url } = await checkout(key, 'top_up_5')
      await page.goto(url.replace('//127.0.0.1:', '//localhost:'))
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.waitForURL(`${server.url}/pay/done`)
      expect(await available(key)).toBe(500)
      expect(complaints).toEqual([])
    },
    patience,
  )

  it(
    'refuse the form of a page of others',
    async () => {
      const key = await account()
      const { url } = await checkout(key, 'top_up_5')
      const [page] = await opened()
      // A page of another origin, as the browser sees it: one that is made up.
      await page.goto('about:blank')
      await page.setContent(
        `<form method="post" action="${url}"><button name="action" value="pay">Win</button></form>`,
      )
      await page.getByRole('button').click()
      await page.getByText('Nothing was done').waitFor()
      expect(await available(key)).toBe(0)
    },
    patience,
  )

  const screens = {
    phone: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
    desktop: { viewport: { width: 1280, height: 800 } },
  }
  const looks = Object.entries(screens).flatMap(([screen, options]) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ screen, colorScheme, options })),
  )
  it.each(looks)(
    'can be read on a $screen in $colorScheme',
    async ({ options, colorScheme }) => {
      const key = await account()
      const [page] = await opened({ ...options, colorScheme })
      const { url: open } = await checkout(key, 'supporter_monthly')
      const { url: paid } = await checkout(key, 'supporter_monthly')
      await page.goto(paid)
      await page.getByRole('button', { name: /^Pay/ }).click()
      const { url: portalUrl } = await portal(key)
      const done = `${server.url}/pay/done`
      for (const address of [open, `${open}?declined`, paid, portalUrl, done]) {
        await page.goto(address)
        const { isTooWide, isDark, contrasts } = await looksOf(page)
        expect(isTooWide, address).toBe(false)
        expect(isDark, address).toBe(colorScheme === 'dark')
        expect(contrasts.length).toBeGreaterThan(3)
        for (const { text, ratio } of contrasts) expect(ratio, text).toBeGreaterThanOrEqual(4.5)
        for (const button of await page.getByRole('button').all()) {
          expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
        }
      }
    },
    patience,
  )
})
