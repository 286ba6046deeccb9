import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { catalog } from '#src/catalog.ts'
import { newEmail } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { faultsOf } from '#tests/support/browser/axe.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { phone, tabsOf } from '#tests/support/browser/tabs.ts'
import { startMailServer, type MailServer, type TakenMail } from '#tests/support/mail/server.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { until } from '#tests/support/until.ts'
import { comeIn } from './browser.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 300_000
const changed = 'quite other words in a row'

let server: Serving
let models: ModelServer
let mail: MailServer
/** By how much the clock of the server is ahead. */
let aheadMs = 0

describe.skipIf(!browser)('a person with a browser', () => {
  beforeAll(async () => {
    // A call of the model costs ten cents.
    models = await startModelServer(() => ({ text: ['Done.'], usage: { input: 10, output: 0 } }))
    mail = await startMailServer()
    const now = () => new Date(systemClock.now().getTime() + aheadMs)
    const env = {
      ABODE_RATE_LIMITS: 'off',
      ABODE_DEFAULT_MODEL: 'openai-compatible/m',
      ABODE_MODEL_PRICES: '{"openai-compatible/m": {"input": 10000, "output": 0}}',
      OPENAI_API_KEY: 'key-of-the-operator',
      OPENAI_BASE_URL: models.baseUrl,
      ABODE_SMTP_URL: mail.url,
      ABODE_MAIL_FROM: 'abode@example.org',
    }
    server = await serving(env, catalog, { clock: { ...systemClock, now } })
  })
  afterEach(() => tabs.close())
  afterAll(async () => {
    await browser?.close()
    await server[Symbol.asyncDispose]()
    await mail.close()
    models.close()
  })

  /** A tab of a new browser; phones by night, desktops by day. */
  async function tab(screen: 'phone' | 'desktop' = 'desktop'): Promise<Page> {
    const live = { javaScriptEnabled: true, bypassCSP: true }
    const isPhone = screen === 'phone'
    const colorScheme = isPhone ? 'dark' : 'light'
    const { page } = await tabs.open({ ...(isPhone && phone), ...live, colorScheme })
    page.setDefaultTimeout(10_000)
    return page
  }

  /** What holds of the page that is open. */
  async function expectGood(page: Page): Promise<void> {
    const { isTooWide } = await looksOf(page)
    expect([page.url(), isTooWide, await faultsOf(page)]).toEqual([page.url(), false, []])
  }

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(server.url + path)
    await expectGood(page)
  }

  async function mailTo(address: string, subject: RegExp): Promise<TakenMail> {
    const found = () => mail.mails.find((one) => one.to[0] === address && subject.test(one.subject))
    await until(() => found() !== undefined)
    const [one] = mail.mails.splice(mail.mails.indexOf(found() as TakenMail), 1)
    return one as TakenMail
  }

  /** Registers, follows the link in the mail, and is signed in. */
  async function registered(page: Page): Promise<{ email: string; link: string }> {
    const email = newEmail()
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('link', { name: 'Register' }).click()
    await comeIn(page, 'Register', { email, password })
    await page.getByText('Look into your mail').waitFor()
    const { link } = await mailTo(email, /confirm|verif/i)
    await open(page, link.slice(server.url.length))
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Confirm my address' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/verify'))
    return { email, link }
  }

  /** Calls the API as the person who is signed in at the page. */
  async function asked<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
    const answer = await page.request.fetch(server.url + path, {
      method,
      headers: { origin: server.url, 'content-type': 'application/json' },
      ...(body && { data: JSON.stringify(body) }),
    })
    expect([path, answer.ok(), answer.ok() ? '' : await answer.text()]).toEqual([path, true, ''])
    return (await answer.json()) as T
  }

  it(
    "reads today's cost, and sets a budget that stops a run, whose page says so",
    async () => {
      const page = await tab('phone')
      await registered(page)
      const tasks = [{ task_id: 't', name: 'T', prompt: 'Say {{input}}' }]
      const agent = { id: 'mira', name: 'Mira', heart: { tasks } }
      await asked(page, 'POST', '/api/characters/', agent)
      const task = '/api/characters/mira/tasks/t/run'
      const first = { input: 'x', wait_seconds: 20 }
      expect(await asked(page, 'POST', task, first)).toMatchObject({ status: 'completed' })

      await open(page, '/spend')
      expect(await page.locator('.numbers').innerText()).toMatch(/Models today\s+\$0\.10/)
      await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Mira' })
      await page.getByLabel('In each').selectOption('Day')
      await page.getByLabel('Limit in US dollars').fill('0.10')
      await page.getByRole('button', { name: 'Set it' }).click()
      await page.getByText('The budget is set.').waitFor()
      await page.getByText('Used up').waitFor()
      await expectGood(page)

      const { id } = await asked<{ id: string }>(page, 'POST', task, { input: 'y' })
      const reason = async () =>
        (await asked<{ reason: string }>(page, 'GET', `/api/runs/${id}`)).reason
      await until(async () => (await reason()) === 'budget_exceeded')
      await open(page, `/runs/${id}`)
      await page.getByText('a budget for models is used up').first().waitFor()
      await open(page, '/spend?of=wallet')
    },
    patience,
  )

  it(
    'verifies an address and sets a new password, by links that work once and in their time',
    async () => {
      const page = await tab()
      const { email, link } = await registered(page)
      await open(page, '/settings/security')
      await page.getByText('verified').first().waitFor()
      const elsewhere = await tab('phone')
      for (const used of [page, elsewhere]) {
        await used.goto(link)
        await used.getByText('This link was used before.').waitFor()
      }
      const reset = async () => {
        await elsewhere.goto(`${server.url}/forgot`)
        await elsewhere.getByLabel('E-mail address').fill(email)
        await elsewhere.getByRole('button', { name: 'Send me a link' }).click()
        await elsewhere.waitForURL(/\/forgot\?sent/)
        return (await mailTo(email, /Set a new password/)).link
      }
      await open(elsewhere, '/forgot')
      const late = await reset()
      aheadMs += 3_601_000
      await elsewhere.goto(late)
      await expectGood(elsewhere)
      await elsewhere
        .getByText(/too old|no longer|expired/i)
        .first()
        .waitFor()

      const path = new URL(await reset()).pathname
      await open(elsewhere, path)
      await elsewhere
        .getByLabel(/password/i)
        .first()
        .fill(changed)
      await elsewhere.getByRole('button', { name: 'Set the password' }).click()
      await elsewhere.getByText('Your new password is set').waitFor()
      // The other browser is signed out, and the link is used for it too.
      await page.goto(`${server.url}/settings/security`)
      await page.waitForURL(/\/sign-in/)
      for (const used of [page, elsewhere]) {
        await used.goto(server.url + path)
        await used.getByText('This link was used before.').waitFor()
      }
      await page.goto(`${server.url}/sign-in`)
      await comeIn(page, 'Sign in', { email, password: changed })
      await page.waitForURL((url) => url.pathname !== '/sign-in')
    },
    patience,
  )

  it(
    'takes everything along and deletes themselves',
    async () => {
      const page = await tab()
      const { email } = await registered(page)
      await asked(page, 'POST', '/api/characters/', { id: 'otto', name: 'Otto' })
      await open(page, '/settings/leave')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download everything' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^account-acc_[\w-]+\.jsonl$/)
      const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n')
      const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind)
      expect(kinds).toContain('agent')
      expect(kinds.at(-1)).toBe('end')

      await page.getByLabel(/^To delete it, type/).fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Delete everything' }).click()
      await page.waitForURL(`${server.url}/`)
      await mailTo(email, /delet/i)
      await page.goto(`${server.url}/sign-in`)
      await comeIn(page, 'Sign in', { email, password })
      await page.locator('.problem, .wrong').first().waitFor()
    },
    patience,
  )
})
