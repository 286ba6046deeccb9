import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { looksOf, partsOf } from '#tests/support/browser/looks.ts'

/** What holds of each page, however it is looked at. */
export async function expectReadable(page: Page, about: string, isDark: boolean): Promise<void> {
  const looks = await looksOf(page)
  expect(looks.isTooWide, about).toBe(false)
  expect(looks.isDark, about).toBe(isDark)
  for (const { text, ratio } of looks.contrasts) {
    expect(ratio, `${about}: ${text}`).toBeGreaterThanOrEqual(4.5)
  }
  const parts = await partsOf(page)
  for (const height of parts.controlHeights) expect(height, about).toBeGreaterThanOrEqual(40)
  expect(await page.getByRole('heading', { level: 1 }).count(), about).toBe(1)
  expect(await page.getByRole('main').count(), about).toBe(1)
  expect(await page.getByRole('banner').count(), about).toBe(1)
  expect(await page.title(), about).toMatch(/ - Abode$/)
  expect(parts.language).toBe('en')
  expect(new Set(parts.ids).size, about).toBe(parts.ids.length)
  for (const labels of parts.labels) expect(labels, about).toBe(1)
  // The console loads the script of its live parts, and who has passkeys or subscribes a browser by another one, all from here.
  const isLive = (await page.locator('body.console').count()) === 1
  const asksDevices = (await page.locator('[data-passkey]').count()) > 0
  const subscribes = (await page.locator('[data-push]').count()) > 0
  const scripts = [isLive, asksDevices, subscribes].filter(Boolean).length
  expect(parts.scriptsAndPictures, about).toBe(scripts)
}
