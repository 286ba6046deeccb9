import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { call, claimable } from '#tests/support/rest/call.ts'
import { registeredVisitor } from './page-visitor.ts'

let server: Serving
let url = ''

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

describe('what the settings leave to people', () => {
  const held = async () => {
    const visitor = await registeredVisitor(url)
    const { claim_url, api_key } = await claimable(url, 'Desk')
    const { id } = await call<{ id: string }>(url, 'GET', '/api/account', api_key)
    await visitor.post(new URL(claim_url).pathname, { action: 'complete' })
    const set = (form: object, to = id) =>
      visitor.post('/settings', { action: 'set_policy', account: to, ...form })
    const account = () => server.abode.ports.store.accounts.get(id)
    return { visitor, id, set, account }
  }

  it('is off at first, and is set and taken back by the person who holds the account', async () => {
    const { visitor, id, set, account } = await held()
    const page = await visitor.get(`/settings?account=${id}`)
    expect(page.text).toMatch(/What .* leaves to people/)
    expect(page.text).not.toMatch(/value="people" selected/)
    const saved = await set({ approvals: 'people', spend: '500' })
    expect(saved).toMatchObject({ status: 303 })
    const after = await visitor.get(saved.goesTo)
    expect(after.text).toContain('What is left to people was saved.')
    expect(after.text).toMatch(/value="people" selected/)
    expect(after.text).toMatch(/name="spend" value="500"/)
    expect(await account()).toMatchObject({
      approvals_need_person: true,
      key_spend_cents_a_day: 500,
    })
    await set({ spend: '' })
    expect(await account()).toMatchObject({
      approvals_need_person: false,
      key_spend_cents_a_day: null,
    })
  })

  it.each(['a lot', '-1', '1.5', '1e3', '99999999999', '1000000001'])(
    'is no amount: %s',
    async (spend) => {
      const { set, account } = await held()
      const refused = await set({ approvals: 'people', spend })
      expect(refused.status).toBe(422)
      expect(refused.text).toContain('Enter a whole number of cents')
      expect(refused.text).toMatch(/value="people" selected/)
      expect((await account())?.approvals_need_person).toBeUndefined()
    },
  )

  it('is not that of an account of another person', async () => {
    const { account, id } = await held()
    const other = await registeredVisitor(url)
    const form = { action: 'set_policy', account: id, approvals: 'people', spend: '' }
    expect((await other.post('/settings', form)).status).toBe(404)
    expect((await account())?.approvals_need_person).toBeUndefined()
  })
})
