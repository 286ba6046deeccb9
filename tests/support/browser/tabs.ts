import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** A tab of a browser that runs no scripts, and what it has complained about. */
export interface Tab {
  page: Page
  complaints: string[]
}

/** Opens tabs, each in a context of its own without cookies; `close` closes them all. */
export function tabsOf(browser: Browser | undefined): {
  open: (options?: BrowserContextOptions) => Promise<Tab>
  close: () => Promise<void>
} {
  const closing: (() => Promise<void>)[] = []
  return {
    async open(options = {}) {
      if (!browser) throw new Error('there is no browser')
      const context = await browser.newContext({ javaScriptEnabled: false, ...options })
      closing.push(() => context.close())
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      return { page, complaints }
    },
    async close() {
      for (const close of closing.splice(0)) await close()
    },
  }
}

type Role = 'button' | 'link' | 'textbox' | 'searchbox' | 'combobox'

/** Goes on by the keyboard alone until this has the focus. */
export async function tabTo(page: Page, role: Role, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name })
  await wanted.first().waitFor()
  for (let i = 0; i < 40; i++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not come to ${String(name)}`)
}

export const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

/** A phone and a desktop. */
export const screens = [
  { screen: 'phone', options: phone },
  { screen: 'desktop', options: { viewport: { width: 1280, height: 800 } } },
]

/** By day and by night: a page that is open follows. */
export const colorSchemes = ['light', 'dark'] as const
