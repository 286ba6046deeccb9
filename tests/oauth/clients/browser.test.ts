import {
  UnauthorizedError,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { comeIn } from '#tests/e2e/people/browser.ts'
import { expectReadable } from '#tests/e2e/people/readable.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { colorSchemes, screens, tabsOf } from '#tests/support/browser/tabs.ts'
import { answerOf } from '#tests/support/mcp-clients.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { begun, registered } from '../program.ts'
import { Host } from './provider.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 300_000
const password = 'a few words in a row'
/** A folder that pictures of all pages are put into; by default there are none. */
const picturesIn = process.env['TEST_PICTURES']

/** Looks at the page that is open, by day and by night. */
function lookerAt(page: Page, screen: string): (about: string) => Promise<void> {
  let nth = 0
  return async (about) => {
    nth += 1
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme })
      await expectReadable(page, about, colorScheme === 'dark')
      if (picturesIn === undefined) continue
      const name = `oauth-${screen}-${colorScheme}-${nth}-${about}.png`
      await page.screenshot({ path: join(picturesIn, name), fullPage: true })
    }
  }
}

describe.skipIf(!browser)('a person who connects a program in a browser', () => {
  let server: ServerProcess
  /** The program's own address, to which the browser comes back. */
  let loopback: Server
  beforeAll(async () => {
    server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
    loopback = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end('<!doctype html><title>The program</title><h1>You may go on in the program</h1>')
    }).listen(0, '127.0.0.1')
    await once(loopback, 'listening')
  })
  afterEach(() => tabs.close())
  afterAll(async () => {
    loopback.close()
    await server.dispose()
    await browser?.close()
  })
  const callback = (): string =>
    `http://127.0.0.1:${(loopback.address() as AddressInfo).port}/callback`
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

  it.each(screens)(
    'registers, agrees and comes back to it on a $screen',
    async ({ screen, options }) => {
      const host = new Host({ redirect: callback(), name: 'Desk assistant' })
      const address = new URL(`${server.url}/mcp/account?toolsets=core`)
      const open = () => new StreamableHTTPClientTransport(address, { authProvider: host })
      const first = new Client({ name: 'abode-tests', version: '1' })
      await expect(first.connect(open())).rejects.toBeInstanceOf(UnauthorizedError)

      const { page, complaints } = await tabs.open(options)
      const look = lookerAt(page, screen)
      await page.goto(host.asked[0]?.href ?? '')
      await heading(page, 'Connect Desk assistant').waitFor()
      await look('sign-in')
      await page.getByRole('link', { name: 'Register' }).click()
      await look('register')
      await comeIn(page, 'Register', { email: `${screen}@example.org`, password })
      await page.getByRole('button', { name: 'Allow' }).waitFor()
      await look('consent')
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Choose what it may do').waitFor()
      await look('nothing-chosen')
      for (const box of await page.getByRole('checkbox').all()) await box.check()
      await page.getByRole('button', { name: 'Allow' }).click()
      await heading(page, 'You may go on in the program').waitFor()
      expect(complaints.filter((one) => /Content.Security.Policy/i.test(one))).toEqual([])

      await open().finishAuth(new URL(page.url()).searchParams)
      const client = new Client({ name: 'abode-tests', version: '1' })
      await client.connect(open())
      expect(await answerOf(client, 'account_get')).toMatchObject({ key: null })
      await client.close()
      await page.goto(`${server.url}/settings`)
      await page.getByText('Desk assistant').first().waitFor()
      await look('settings')
    },
    patience,
  )

  it(
    'is sent to a program of their machine by its own scheme',
    async () => {
      const redirect = 'cursor://anysphere.cursor-mcp/oauth/callback'
      const program = { ...(await registered(server.url, { redirect_uris: [redirect] })), redirect }
      const request = await begun(program, { resource: `${server.url}/mcp/account` })
      const { page, complaints } = await tabs.open()
      await page.goto(request.address)
      await page.getByRole('link', { name: 'Register' }).click()
      await comeIn(page, 'Register', { email: 'scheme@example.org', password })
      const left = page.waitForEvent('requestfailed', (one) => one.url().startsWith('cursor:'))
      await page.getByRole('button', { name: 'Allow' }).click()
      const { searchParams } = new URL((await left).url())
      expect(searchParams.get('state')).toBe(request.state)
      expect(searchParams.get('code')).toBeTruthy()
      expect(complaints.filter((one) => /Content.Security.Policy/i.test(one))).toEqual([])
    },
    patience,
  )
})
