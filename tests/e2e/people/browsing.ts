import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** A tab of somebody whose browser runs no scripts, and what it has complained about. */
export interface Tab {
  page: Page
  complaints: string[]
}

/** Opens tabs, each in a browser of its own that knows nobody; `close` closes them all. */
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

type Role = 'button' | 'link' | 'textbox' | 'combobox'

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

/** A request to the API. @throws Error for what is no success */
export async function call<T>(
  url: string,
  method: string,
  path: string,
  key?: string,
  body?: object,
): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const sent = body && JSON.stringify(body)
  const answer = await fetch(url + path, { method, headers, body: sent ?? null })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  // The test says what it expects of the operation's answer.
  return JSON.parse(text) as T
}

/** What an agent gets that asks for a key. */
export interface Claimable {
  claim_url: string
  token: string
  api_key: string
}
