import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { newEmail } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { comeIn } from '#tests/e2e/people/browser.ts'
import { faultsOf } from '#tests/support/browser/axe.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { colorSchemes, tabsOf, tabTo } from '#tests/support/browser/tabs.ts'
import { solved } from '#tests/support/members.ts'
import { served } from '#tests/support/served/served.ts'
import { ownerAt } from '../owner.ts'
import { makeForum, openForum, type Forum } from './forum.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 120_000
const sizes = [
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  { viewport: { width: 1280, height: 800 } },
]

describe.skipIf(!browser)('a reader of the Commons without scripts', () => {
  const server = served({ env: openForum })
  let forum: Forum
  beforeAll(async () => {
    forum = await makeForum(server.url)
    await server.world.ports.store.commons_moderation.insert({
      id: 'mod_1',
      action: 'hold',
      target_type: 'thread',
      target_id: forum.thread,
      by: 'moderator',
      reason: 'It names a customer, and every reader could see who that is.',
      created_at: '2026-03-01T10:00:00.000Z',
    })
  })
  afterEach(() => tabs.close())
  afterAll(() => browser?.close())

  it(
    'goes by the keyboard alone from a board to the answer of a thread, finds one by words, and flags it',
    async () => {
      const { page, complaints } = await tabs.open(sizes[1])
      await page.goto(`${server.url}/commons`)
      await pressed(page, 'link', 'Ask')
      await page.waitForURL('**/commons/b/ask')
      await pressed(page, 'link', /^How do I resume/)
      const posts = page.getByRole('article')
      await page.waitForURL(`**/commons/t/${forum.thread}`)
      expect(await posts.nth(1).textContent()).toContain('Last-Event-ID')
      expect(await posts.nth(1).textContent()).toContain('works for 1')
      expect(await posts.nth(2).textContent()).toContain('Polling')
      expect(await posts.nth(3).textContent()).toContain('in reply to @patient-heron')
      const tried = page.getByText('Resumed at once.')
      expect(await tried.isVisible()).toBe(false)
      await page.getByText('Who tried it, and how').focus()
      await page.keyboard.press('Enter')
      await tried.waitFor()
      await pressed(page, 'link', 'The Commons')
      await page.waitForURL('**/commons')
      await tabTo(page, 'searchbox', 'Find in the Commons')
      await page.keyboard.type('header stream "id of the last event"')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/commons/search?q=*')
      await pressed(page, 'link', /accepted answer/)
      await page.waitForURL(`**?reply=${forum.accepted}#r-${forum.accepted}`)
      await pressed(page, 'link', 'Flag')
      await pressed(page, 'link', 'Register')
      await comeIn(page, 'Register', { email: newEmail(), password })
      await page.getByText('your account has none').waitFor()
      await agentOf(page)
      await page.reload()
      await tabTo(page, 'combobox', 'What is wrong with it')
      await page.keyboard.type('Unsafe')
      await pressed(page, 'button', 'Flag it')
      await page.getByText('Thank you.').waitFor()
      expect(complaints).toEqual([])
      const flags = await server.world.ports.store.commons_flags.find({ target_id: forum.accepted })
      expect(flags.map(({ reason }) => reason)).toEqual(['unsafe'])
    },
    patience,
  )

  it(
    'finds nothing in the way on a phone and a desktop, by day and by night',
    async () => {
      const { visitor, on } = await ownerAt(server.url)
      await on('POST', '/api/characters/', { name: 'Mira' })
      const [name = '', value = ''] = visitor.cookie?.split('=') ?? []
      for (const options of sizes) {
        // What looks for faults is a script itself.
        const { page, complaints } = await tabs.open({ ...options, javaScriptEnabled: true })
        await page.context().addCookies([{ name, value, url: server.url }])
        for (const path of [
          '',
          `/t/${forum.thread}`,
          `/@${forum.helper.handle}`,
          '/search?q=events',
          '/moderation',
          `/flag?post=${forum.thread}`,
        ]) {
          await expectGood(page, `${server.url}/commons${path}`)
        }
        expect(complaints).toEqual([])
      }
    },
    patience,
  )
})

/** Goes there by the keyboard, and presses it. */
async function pressed(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await tabTo(page, role, name)
  await page.keyboard.press('Enter')
}

/** An agent of the person in this tab, which has proved its work as one of today has to. */
async function agentOf(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  const api = page.request
  const sent = async <T>(path: string, data: object): Promise<T> => {
    const answer = await api.post(`${origin}/api/${path}`, { data, headers: { origin } })
    expect([answer.ok(), await answer.text()]).toEqual([true, expect.anything()])
    return (await answer.json()) as T
  }
  const { id } = await sent<{ id: string }>('characters/', { name: 'Mira' })
  const asked = await api.get(`${origin}/api/commons/challenge`)
  const { data } = (await asked.json()) as { data: { challenge: string; bits: number } }
  const counter = solved(data.challenge, data.bits)
  const proof = { challenge: data.challenge, counter, as_char_id: id }
  await sent('commons/identities/prove', proof)
}

/** What holds of each page: rules of access, and nothing wider than the screen. */
async function expectGood(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const isPhone = (page.viewportSize()?.width ?? 0) < 400
  // Only colours differ by night, and are the same on both.
  for (const colorScheme of isPhone ? colorSchemes : (['light'] as const)) {
    await page.emulateMedia({ colorScheme })
    const { isTooWide, isDark } = await looksOf(page)
    const about = `${address}, ${page.viewportSize()?.width}, ${colorScheme}`
    expect([about, isTooWide, isDark]).toEqual([about, false, colorScheme === 'dark'])
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined
    expect(await faultsOf(page, rules), about).toEqual([])
  }
}
