import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserHere } from '#tests/support/browser/browser.ts'
import { colorSchemes, screens, tabsOf } from '#tests/support/browser/tabs.ts'
import {
  startAuthorizationServer,
  type TestAuthorizationServer,
} from '#tests/support/oauth/authorization-server.ts'
import {
  startProtectedServer,
  type ProtectedServer,
} from '#tests/support/oauth/protected-server.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, claimable } from '#tests/support/rest/call.ts'
import { comeIn } from './browser.ts'
import { expectReadable } from './readable.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 300_000
const password = 'a few words in a row'
const rtl = 'باحثة في المكتبة الكبيرة'
/** A folder that pictures of all pages are put into; by default there are none. */
const picturesIn = process.env['TEST_PICTURES']

let server: ServerProcess
let authorization: TestAuthorizationServer
let guarded: ProtectedServer

interface Ran {
  status: string
  error: { message: string } | null
}

describe.skipIf(!browser)('a person who connects an agent', () => {
  beforeAll(async () => {
    // Clients register themselves, with redirects of their own.
    authorization = await startAuthorizationServer('http://127.0.0.1:1/')
    guarded = await startProtectedServer(authorization)
    const allow = [authorization.issuer, guarded.tools.origin].join(',')
    const env = { ABODE_RATE_LIMITS: 'off', ABODE_OUTBOUND_ALLOW: allow }
    server = await startServer({ env })
  })
  afterEach(() => tabs.close())
  afterAll(async () => {
    await server.dispose()
    authorization.close()
    guarded.close()
    await browser?.close()
  })

  it.each(screens)(
    'is led from the link of the run to the consent and back on a $screen',
    async ({ screen, options }) => {
      const { claim_url, api_key: key } = await claimable(server.url, 'Desk')
      const id = `ada-${screen}`
      const tasks = [
        { task_id: 'api', name: 'A', prompt: 'Go.', runtime: 'api', api_url: guarded.api },
      ]
      const agent = { id, name: rtl, heart: { tasks } }
      await call(server.url, 'POST', '/api/characters/', key, agent)
      const run = () =>
        call<Ran>(server.url, 'POST', `/api/characters/${id}/tasks/api/run`, key, {
          wait_seconds: 20,
        })
      const link = /http\S+\/connect\/\w+/.exec((await run()).error?.message ?? '')?.[0] ?? ''

      const { page } = await tabs.open(options)
      let nth = 0
      const look = async (about: string): Promise<void> => {
        nth += 1
        for (const colorScheme of colorSchemes) {
          await page.emulateMedia({ colorScheme })
          await expectReadable(page, about, colorScheme === 'dark')
          if (picturesIn === undefined) continue
          const name = `connect-${screen}-${colorScheme}-${nth}-${about}.png`
          await page.screenshot({ path: join(picturesIn, name), fullPage: true })
        }
      }
      const heading = (name: string) => page.getByRole('heading', { level: 1, name })
      await page.goto(claim_url)
      await comeIn(page, 'Register', { email: `${screen}@example.org`, password })
      await page.getByRole('button', { name: 'Take it over' }).click()
      await heading('This account is yours').waitFor()
      await page.goto(link)
      await heading('Connect an agent to a server').waitFor()
      await look('asked')
      await page.getByText('With a client of your own').click()
      await look('own-client')
      await page.getByRole('button', { name: 'Connect' }).click()
      await heading('Go on to consent').waitFor()
      await look('going')
      await page.getByRole('link', { name: /^Go on to/ }).click()
      await page.getByText('Connected since').waitFor()
      expect(page.url()).toBe(link)
      await look('connected')
      expect((await run()).status).toBe('completed')
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await heading('Disconnected').waitFor()
      await look('disconnected')
      await page.goto(`${server.url}/oauth/callback?state=x&code=y`)
      await heading('Nothing was connected').waitFor()
      await look('nothing')
    },
    patience,
  )
})
