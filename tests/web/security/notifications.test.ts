import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { registeredVisitor, type PageVisitor } from '#tests/accounts/people/page-visitor.ts'

const here = '/settings/notifications'

describe('the page of what a person is told', () => {
  let server: Serving
  let person: PageVisitor
  beforeAll(async () => {
    server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
    person = await registeredVisitor(server.url)
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const kept = async () => (await person.call('GET', '/api/account/notifications')).json()
  const quiet = { quiet: 'true', from: '22:30', to: '06:00', timezone: 'Europe/Berlin' }

  it('shows what holds, and keeps what is chosen', async () => {
    const page = await person.get(here)
    expect(page.heading).toBe('What you are told')
    expect(page.text).toMatch(/name="run_failed"[^>]*checked/)
    expect(page.text).not.toMatch(/name="budget_reached"[^>]*checked/)
    expect((await person.get('/settings')).text).toContain(here)

    const chosen = { budget_reached: 'true', ...quiet, digest_minutes: '15' }
    expect((await person.post(here, chosen)).goesTo).toBe(`${here}?done=saved`)
    expect(await kept()).toMatchObject({
      kinds: { approval_waiting: { mail: false }, budget_reached: { mail: true } },
      quiet_hours: { from: '22:30', to: '06:00', timezone: 'Europe/Berlin', approvals_pass: false },
      digest_minutes: 15,
    })
    expect((await person.get(`${here}?done=saved`)).text).toContain('It is saved.')
    // Nothing at all is a choice too.
    await person.post(here, { digest_minutes: '1' })
    expect(await kept()).toMatchObject({
      kinds: { run_failed: { mail: false } },
      quiet_hours: null,
    })
  })

  it('sets a webhook, shows its secret once, and takes it away', async () => {
    const wrong = await person.post(here, { do: 'set', url: 'http://127.0.0.1/<b>' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('id="url-problem"')
    const url = 'https://example.com/told'
    const page = await person.post(here, { do: 'set', url })
    expect(page.text).toMatch(/whsec_/)
    const shown = await person.get(here)
    expect(shown.text).toContain(url)
    expect(shown.text).not.toContain('whsec_')
    await person.post(here, { call_run_failed: 'true', digest_minutes: '1' })
    expect(await kept()).toMatchObject({
      webhook: { url, state: 'active' },
      kinds: { run_failed: { webhook: true }, approval_waiting: { webhook: false } },
    })
    await person.post(here, { do: 'delete' })
    expect(await kept()).toMatchObject({ webhook: null })
  })

  it.each([
    ['from', { from: '25:00' }],
    ['to', { to: '22:30' }],
    ['timezone', { timezone: '<b>Mars</b>' }],
    ['digest_minutes', { digest_minutes: '1e9' }],
  ])('says next to the field what is wrong with %s, and changes nothing', async (name, wrong) => {
    const before = await kept()
    const sent = { approval_waiting: 'true', ...quiet, digest_minutes: '5', ...wrong }
    const page = await person.post(here, sent)
    expect(page.status).toBe(422)
    expect(page.text).toContain(`id="${name}-problem"`)
    expect(page.text).not.toContain('<b>Mars')
    expect(await kept()).toEqual(before)
  })
})
