import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { groupsOf } from '#src/documents/groups.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const browser = await browserHere()
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
afterAll(async () => {
  await browser?.close()
  await server.dispose()
})

/** A tab without scripts on that screen, and what the browser has complained about. */
async function opened(screen: (typeof screens)[number]): Promise<[Page, string[]]> {
  if (!browser) throw new Error('there is no browser')
  const { width, height, colorScheme } = screen
  const viewport = { width, height }
  const context = await browser.newContext({ javaScriptEnabled: false, viewport, colorScheme })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  return [page, complaints]
}

describe.skipIf(!browser)('the reference in a browser', { timeout: patience }, () => {
  it.each(screens)('fits $width pixels, in the dark or not, and can be read', async (screen) => {
    const [page, complaints] = await opened(screen)
    const paths = [
      '/api-reference',
      ...groupsOf(catalog).map(({ slug }) => `/api-reference/${slug}`),
    ]
    for (const path of paths) {
      await page.goto(server.url + path)
      const { isTooWide, isDark, contrasts } = await looksOf(page)
      expect([path, isTooWide, isDark]).toEqual([path, false, screen.colorScheme === 'dark'])
      const faint = contrasts.filter(({ ratio }) => ratio < 4.5).map(({ text }) => text)
      expect([path, faint]).toEqual([path, []])
      expect(await page.locator('h1').count()).toBe(1)
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('is searched and read by keyboard alone', async () => {
    const [page] = await opened(screens[2])
    await page.goto(`${server.url}/api-reference`)
    const field = page.getByRole('searchbox', { name: 'Search operations' })
    for (let i = 0; i < 20 && !(await isFocused(field)); i++) await page.keyboard.press('Tab')
    expect(await isFocused(field)).toBe(true)
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
    expect(await isFocused(example)).toBe(true)
    expect((await looksOf(page)).outlinePixels).toBeGreaterThan(1)
    await page.context().close()
  })
})

function isFocused(locator: ReturnType<Page['getByRole']>): Promise<boolean> {
  return locator.and(locator.page().locator(':focus')).isVisible()
}
