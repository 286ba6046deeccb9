import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { claimedAccount } from './claimed.ts'
import { registeredVisitor } from './page-visitor.ts'

const markup = `<script>alert(1)</script> & "co"`

let server: Serving
let url = ''

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

describe('what an account is called and keeps', () => {
  it('is shown and changed by its owner, who is told what is wrong', async () => {
    const { visitor, account } = await claimedAccount(url)
    const path = `/settings?account=${account}`
    const set = (form: object) =>
      visitor.post('/settings', { action: 'set_name', account, ...form })
    expect((await visitor.get(path)).text).toMatch(/name="account_name"\s+value="Desk"/)
    const refused = await set({ account_name: `A\u202e${markup}`, prompts: 'left' })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/id="account_name-problem"[^]*&lt;script[^]*value="left" selected/)
    const { goesTo } = await set({ account_name: ` ${markup} `, prompts: 'left' })
    const page = await visitor.get(goesTo)
    expect(page.text).toContain('The account was saved.')
    expect(page.text).not.toContain('<script>alert')
    const kept = () => server.abode.ports.store.accounts.get(account)
    expect(await kept()).toMatchObject({ name: markup, keep_prompts: false })
    await set({ account_name: '', prompts: 'kept' })
    expect(await kept()).toMatchObject({ name: null, keep_prompts: true })
    const other = await registeredVisitor(url)
    const form = { action: 'set_name', account, account_name: 'Mine' }
    expect((await other.post('/settings', form)).status).toBe(404)
  })
})

describe('what the settings leave to people', () => {
  const held = async () => {
    const { visitor, account: id } = await claimedAccount(url)
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
