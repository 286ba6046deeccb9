import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest'
import { browserHere } from '#tests/support/browser/browser.ts'
import { colorSchemes, screens, tabsOf } from '#tests/support/browser/tabs.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, claimable, type Claimable } from '#tests/support/rest/call.ts'
import { comeIn } from './browser.ts'
import { expectReadable } from './readable.ts'

const browser = await browserHere()
const tabs = tabsOf(browser)
const patience = 300_000
const password = 'a few words in a row'
const markup = `<script>alert(1)</script><img src=x onerror='alert("1")'> & "co"`
const rtl = 'باحثة في المكتبة الكبيرة'
const long = `A${'a'.repeat(198)}`
/** A folder that pictures of all pages are put into; by default there are none. */
const picturesIn = process.env['TEST_PICTURES']

let server: ServerProcess

afterEach(() => tabs.close())
afterAll(async () => {
  await browser?.close()
})

/** An account with agents of every kind of name. */
async function named(): Promise<Claimable> {
  const made = await claimable(server.url, rtl)
  const { api_key } = made
  for (const name of [long, markup, rtl, 'Researcher']) {
    const { id } = await call<{ id: string }>(server.url, 'POST', '/api/characters/', api_key, {
      name,
    })
    await call(server.url, 'POST', '/api/api-keys/', api_key, { name, scope_char_id: id })
  }
  return made
}

/** An approval of a run of the account that asks a person, with every kind of text in it. */
async function asked(key: string): Promise<string> {
  const approval_prompt = `Refund {{order}} to ${rtl}? ${markup} ${long}`
  const approval_gate = { requires_approval: true, require_person: true, approval_prompt }
  const task = { task_id: 't', name: markup, runtime: 'template', prompt: 'Hi', approval_gate }
  const agent = { name: rtl, heart: { tasks: [task] } }
  const { id } = await call<{ id: string }>(server.url, 'POST', '/api/characters/', key, agent)
  const path = `/api/characters/${id}/tasks/t/run`
  const input = { order: 17, note: markup, long: `${long} ${rtl}` }
  const sent = { input, wait_seconds: 20 }
  return (await call<{ approval_id: string }>(server.url, 'POST', path, key, sent)).approval_id
}

describe.skipIf(!browser)('the pages of persons', () => {
  beforeAll(async () => {
    server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
  })
  afterAll(() => server.dispose())

  it.each(screens)(
    'can be read on a $screen, by day and by night',
    async ({ screen, options }) => {
      const { claim_url, api_key } = await named()
      const rejected = await named()
      const email = `${screen}-${'long'.repeat(10)}@a-host-with-a-long-name.example.org`
      const { page } = await tabs.open(options)
      let nth = 0
      const look = async (about: string): Promise<void> => {
        nth += 1
        for (const colorScheme of colorSchemes) {
          await page.emulateMedia({ colorScheme })
          await expectReadable(page, about, colorScheme === 'dark')
          if (picturesIn === undefined) continue
          const name = `${screen}-${colorScheme}-${String(nth).padStart(2, '0')}-${about}.png`
          await page.screenshot({ path: join(picturesIn, name), fullPage: true })
        }
      }
      await page.goto(`${server.url}/sign-in`)
      await look('sign-in')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await look('sign-in-wrong')
      await page.goto(claim_url)
      await look('claim')
      await page.getByLabel('E-mail address').fill('no-address')
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByRole('alert').first().waitFor()
      await look('claim-wrong')
      await comeIn(page, 'Register', { email, password })
      await page.getByRole('button', { name: 'Take it over' }).waitFor()
      await look('claim-deciding')
      await page.goto(`${claim_url}?reject`)
      await look('claim-rejecting')
      await page.goto(claim_url)
      await page.getByRole('button', { name: 'Take it over' }).click()
      await page.getByRole('heading', { level: 1, name: 'This account is yours' }).waitFor()
      await look('claim-own')
      await page.goto(`${rejected.claim_url}?reject`)
      await page.getByRole('button', { name: /^Reject/ }).click()
      await page.getByRole('heading', { level: 1, name: 'This link was rejected' }).waitFor()
      await look('claim-rejected')
      await page.goto(`${server.url}/claim/act_1`)
      await look('claim-wrong-link')
      await page.goto(`${server.url}/settings`)
      await look('settings')
      await page.getByRole('main').getByRole('link', { name: rtl, exact: true }).first().click()
      await page.getByRole('heading', { name: `Keys of ${rtl}` }).waitFor()
      await look('settings-account')
      const invite = page.getByRole('button', { name: 'Make a link' })
      await page.getByLabel('Their e-mail address').fill('no-address')
      await invite.click()
      await page.getByRole('alert').waitFor()
      await look('settings-invite-wrong')
      await page.getByLabel('Their e-mail address').fill('')
      await invite.click()
      await page.getByRole('heading', { level: 1, name: 'Your invitation' }).waitFor()
      await look('settings-invitation')
      const invitation = await page.getByRole('textbox', { name: /^The link/ }).inputValue()
      await page.getByRole('link', { name: 'I have copied it' }).click()
      await page.getByRole('button', { name: /^Withdraw/ }).waitFor()
      await look('settings-people')
      await page.goto(invitation)
      await look('join-member')
      await page.goBack()
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByRole('alert').waitFor()
      await look('settings-wrong')
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(long)
      await page.getByRole('combobox', { name: 'For', exact: true }).selectOption({ index: 1 })
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByRole('heading', { level: 1, name: 'Your new key' }).waitFor()
      await look('settings-new-key')
      await page.getByRole('link', { name: 'I have copied it' }).click()
      await page.getByRole('link', { name: /^Revoke the key Researcher/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Revoke this key?' }).waitFor()
      await look('settings-revoking')
      await page.getByRole('button', { name: 'Revoke the key' }).click()
      await page.getByRole('status').waitFor()
      await look('settings-revoked')
      for (const [about, action] of [
        ['approval', 'Approve'],
        ['approval-reject', 'Reject'],
      ] as const) {
        await page.goto(`${server.url}/approvals/${await asked(api_key)}`)
        await look(about)
        await page.getByLabel('A note').fill(`${markup} ${rtl} ${long}`)
        await page.getByRole('button', { name: action }).click()
        await page.getByRole('status').waitFor()
        await look(`${about}-done`)
      }
      await page.goto(`${server.url}/sign-out`)
      await look('sign-out')
      await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
      await page.goto(claim_url)
      await page.getByRole('heading', { level: 1, name: 'This link was used' }).waitFor()
      await look('claim-used')
      await page.goto(invitation)
      await look('join')
      await comeIn(page, 'Register', { email: `grace-${email}`, password })
      await page.getByRole('button', { name: 'Accept' }).waitFor()
      await look('join-deciding')
      await page.goto(`${server.url}/join/abm_1`)
      await look('join-wrong-link')
    },
    patience,
  )
})
