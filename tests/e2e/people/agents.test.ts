import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newEmail } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { faultsOf } from '#tests/support/browser/axe.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'
import { screens, tabsOf } from '#tests/support/browser/tabs.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, claimable } from '#tests/support/rest/call.ts'
import { comeIn } from './browser.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 300_000

let server: ServerProcess

interface Team {
  claimUrl: string
  key: string
  /** Its first agent. */
  id: string
}

const cron = { type: 'cron', config: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' } }
const task = { task_id: 'sort', name: 'Sort the mail', runtime: 'template', prompt: 'Sorted' }

/** A team whose first agent was changed once and remembers something. */
async function teamCalled(app_id: string): Promise<Team> {
  const { api_key: key, claim_url: claimUrl } = await claimable(server.url, 'Support desk')
  const on = (method: string, path: string, body: object) =>
    call(server.url, method, path, key, body)
  const agents = [
    { local_id: 'mira', name: 'Mira', heart: { tasks: [{ ...task, triggers: [cron] }] } },
    { local_id: 'otto', name: 'Otto' },
  ]
  const connections = [{ from: 'mira', to: 'otto', permissions: ['message'] }]
  const manifest = { manifest_version: '1', app_id, name: 'The desk', agents, connections }
  await on('POST', '/api/agent-apps/', manifest)
  const id = `${app_id}--mira`
  await on('PUT', `/api/characters/${id}`, { tagline: 'Reads before nine', bio: 'One\nTwo' })
  await on('PUT', `/api/characters/${id}/memory/customers/kim`, { likes: ['short answers'] })
  return { claimUrl, key, id }
}

/** What holds of each page. */
async function expectGood(page: Page, path: string): Promise<void> {
  await page.goto(server.url + path)
  const { isTooWide } = await looksOf(page)
  expect([path, isTooWide, await faultsOf(page)]).toEqual([path, false, []])
}

describe.skipIf(!browser)('a person who changes an agent', () => {
  beforeAll(async () => {
    server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
  })
  afterEach(() => tabs.close())
  afterAll(async () => {
    await browser?.close()
    await server.dispose()
  })

  it.each(screens)(
    'moves its schedule, restores it and lets it forget, on a $screen, in pages that anyone can use',
    async ({ screen, options }) => {
      const { claimUrl, key, id } = await teamCalled(`desk-${screen}`)
      // Phones by night, desktops by day: the colours are those of both.
      const colorScheme = screen === 'phone' ? 'dark' : 'light'
      const live = { javaScriptEnabled: true, bypassCSP: true }
      const { page } = await tabs.open({ ...options, ...live, colorScheme })
      await page.goto(claimUrl)
      await comeIn(page, 'Register', { email: newEmail(), password })
      await page.getByRole('button', { name: 'Take it over' }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      const agent = `/agents/${id}`
      for (const path of [
        `/teams/desk-${screen}`,
        `${agent}/tasks`,
        `${agent}/tasks/sort`,
        `${agent}/memory`,
        `${agent}/memory/customers`,
        `${agent}/revisions`,
        '/settings',
      ]) {
        await expectGood(page, path)
      }

      await expectGood(page, `${agent}/tasks/sort/edit`)
      await page
        .getByLabel(/^When it comes|^Schedule|cron/i)
        .first()
        .fill('30 7 * * *')
      await page.getByRole('button', { name: 'Look at the change' }).click()
      await page.getByRole('button', { name: 'Save it' }).click()
      await page.waitForURL(/\?done=saved$/)
      const read = <T>(path: string) => call<T>(server.url, 'GET', path, key)
      const moved = await read<object>(`/api/characters/${id}/tasks/sort`)
      expect(moved).toMatchObject({ triggers: [{ config: { cron: '30 7 * * *' } }] })

      await page.goto(`${server.url}${agent}/revisions`)
      await page
        .getByRole('link', { name: /^As it was until/ })
        .last()
        .click()
      await page.getByRole('button', { name: /^Restore version/ }).waitFor()
      await expectGood(page, new URL(page.url()).pathname)
      await page.getByRole('button', { name: /^Restore version/ }).click()
      await page.getByText('It is again as it was.').waitFor()
      expect(await read<object>(`/api/characters/${id}`)).toMatchObject({ tagline: null })

      await expectGood(page, `${agent}/memory/customers/kim`)
      await page.getByRole('button', { name: 'Let it forget this' }).click()
      await page.getByText('It remembers nothing here.').waitFor()
    },
    patience,
  )
})
