import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { colorSchemes, screens, tabsOf, tabTo } from '#tests/support/browser/tabs.ts'
import { startServerOn, type ServerProcess } from '#tests/support/process.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { oneStore } from '#tests/support/stores.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 300_000
let server: ServerProcess

afterEach(() => tabs.close())
afterAll(async () => {
  await browser?.close()
})

const checkout = (key: string, price_id: string) =>
  call<{ url: string }>(server.url, 'POST', '/api/payments/create-checkout-session', key, {
    price_id,
  })
const portal = (key: string) =>
  call<{ url: string }>(server.url, 'POST', '/api/payments/create-portal-session', key, {})
const available = async (key: string) =>
  (await call<{ available_cents: number }>(server.url, 'GET', '/api/wallet/balance', key))
    .available_cents

const testMode = 'Test mode: nothing is charged'

describe.skipIf(!browser).each(oneStore())('the hosted pages without script, on $name', (kind) => {
  beforeAll(async () => {
    server = await startServerOn(kind)
  })
  afterAll(() => server.dispose())

  it(
    'are paid on by keyboard, and the wallet has it',
    async () => {
      const key = await newKey(server.url)
      const { page, complaints } = await tabs.open()
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
      const key = await newKey(server.url)
      const { url } = await checkout(key, 'top_up_5')
      const { page, complaints } = await tabs.open()
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
      const key = await newKey(server.url)
      const { page, complaints } = await tabs.open()
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
      const key = await newKey(server.url)
      const { page, complaints } = await tabs.open()
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
      const key = await newKey(server.url)
      const { url } = await checkout(key, 'top_up_5')
      const { page } = await tabs.open()
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

  it.each(screens)(
    'can be read on a $screen, by day and by night',
    async ({ options }) => {
      const key = await newKey(server.url)
      const { page } = await tabs.open(options)
      const { url: open } = await checkout(key, 'supporter_monthly')
      const { url: paid } = await checkout(key, 'supporter_monthly')
      await page.goto(paid)
      await page.getByRole('button', { name: /^Pay/ }).click()
      const { url: portalUrl } = await portal(key)
      const done = `${server.url}/pay/done`
      for (const address of [open, `${open}?declined`, paid, portalUrl, done]) {
        await page.goto(address)
        for (const colorScheme of colorSchemes) {
          await page.emulateMedia({ colorScheme })
          const { isTooWide, isDark, contrasts } = await looksOf(page)
          expect(isTooWide, address).toBe(false)
          expect(isDark, address).toBe(colorScheme === 'dark')
          expect(contrasts.length).toBeGreaterThan(3)
          for (const { text, ratio } of contrasts) expect(ratio, text).toBeGreaterThanOrEqual(4.5)
        }
        for (const button of await page.getByRole('button').all()) {
          expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
        }
      }
    },
    patience,
  )
})
