import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { groupsOf } from '#src/documents/groups.ts'
import { addressOfGuide, guideNames } from '#src/documents/guides/guides.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { tabsOf, tabTo } from '#tests/support/browser/tabs.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 180_000
const screens = [
  { width: 320, height: 640, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'light' },
] as const

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterEach(() => tabs.close())
afterAll(async () => {
  await browser?.close()
  await server.dispose()
})

describe.skipIf(!browser)(
  'the reference and the guides in a browser',
  { timeout: patience },
  () => {
    it('fits a phone and a desktop, in the dark or not, and can be read', async () => {
      const { page, complaints } = await tabs.open()
      const paths = [
        '/api-reference',
        ...groupsOf(catalog).map(({ slug }) => `/api-reference/${slug}`),
        addressOfGuide(),
        ...guideNames.map(addressOfGuide),
      ]
      for (const path of paths) {
        await page.goto(server.url + path)
        for (const { width, height, colorScheme } of screens) {
          const seen = [path, width, colorScheme]
          await page.setViewportSize({ width, height })
          await page.emulateMedia({ colorScheme })
          const { isTooWide, isDark, contrasts } = await looksOf(page)
          expect([...seen, isTooWide, isDark]).toEqual([...seen, false, colorScheme === 'dark'])
          const faint = contrasts.filter(({ ratio }) => ratio < 4.5).map(({ text }) => text)
          expect([...seen, faint]).toEqual([...seen, []])
        }
        expect(await page.locator('h1').count()).toBe(1)
      }
      expect(complaints).toEqual([])
    })

    it('is searched and read by keyboard alone', async () => {
      const { page } = await tabs.open()
      await page.goto(`${server.url}/api-reference`)
      await tabTo(page, 'searchbox', 'Search operations')
      await page.keyboard.type('lease_lost')
      await page.keyboard.press('Enter')
      await page.waitForURL(/q=lease_lost/)
      expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toContain(
        'lease_lost',
      )
      await page.getByRole('link', { name: 'runs.heartbeat' }).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/api-reference\/runs#runs\.heartbeat$/)
      const example = page.getByRole('region', { name: 'runs.heartbeat by curl' })
      await example.focus()
      expect(await example.and(page.locator(':focus')).count()).toBe(1)
      expect((await looksOf(page)).outlinePixels).toBeGreaterThan(1)
    })
  },
)
