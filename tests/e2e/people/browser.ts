import type { Page } from 'playwright-core'
import { tabTo } from '#tests/support/browser/tabs.ts'

/** Comes in at the page by the keyboard alone; fields for passwords are no text boxes to a reader. */
export async function comeIn(
  page: Page,
  way: 'Register' | 'Sign in',
  { email, password }: { email: string; password: string },
): Promise<void> {
  await tabTo(page, 'textbox', 'E-mail address')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await tabTo(page, 'button', way)
  await page.keyboard.press('Enter')
}
