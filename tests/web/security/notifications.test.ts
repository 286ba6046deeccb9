import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { registeredVisitor, type PageVisitor } from '#tests/accounts/people/page-visitor.ts'
import { browserSubscription } from '#tests/support/push/subscription.ts'

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

  it('lists browsers without their addresses, removes them, and says how a test went', async () => {
    const page = await person.get(here)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.text).toContain('let this page run its script')
    for (const path of ['/assets/push.js', '/push-worker.js']) {
      expect(page.text).toContain(path)
      const script = await fetch(server.url + path)
      expect(script.headers.get('content-type')).toContain('text/javascript')
    }
    const tested = await person.post(here, { do: 'test', way: 'push' })
    expect(tested.text).toContain('You have subscribed no browser.')
    const endpoint = 'https://push.example.com/send/hush'
    const { keys } = browserSubscription
    const add = (to: object, browser_name = '<b>Firefox') => {
      const subscription = JSON.stringify({ endpoint, expirationTime: null, keys, ...to })
      return person.post(here, { do: 'subscribe', browser_name, subscription })
    }
    expect((await person.post(here, { do: 'subscribe', browser_name: 'x' })).status).toBe(422)
    const wrong = await add({ endpoint: 'https://10.0.0.1/' })
    expect([wrong.status, wrong.text.includes('Nothing can be sent')]).toEqual([422, true])
    const unnamed = await add({}, ' ')
    expect([unnamed.status, unnamed.text.includes('browser_name-problem')]).toEqual([422, true])
    expect((await add({})).status).toBe(303)
    const shown = await person.get(here)
    expect(shown.text).toContain('push.example.com')
    expect(shown.text).not.toMatch(/hush|<b>Firefox/)
    await person.post(here, { push_approval_waiting: 'true', digest_minutes: '1' })
    expect(await kept()).toMatchObject({
      kinds: { approval_waiting: { push: true }, run_failed: { push: false } },
    })
    const [, push_id = ''] = /name="push_id" value="([^"]+)"/.exec(shown.text) ?? []
    await person.post(here, { do: 'unsubscribe', push_id })
    expect((await person.get(here)).text).not.toContain('push_id')
    expect((await person.post(here, { do: 'unsubscribe', push_id })).status).toBe(404)
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
