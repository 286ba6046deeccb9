import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf, registeredVisitor } from '#tests/accounts/people/page-visitor.ts'
import { until } from '#tests/support/until.ts'
import { joined, ownerAt, type Owner } from '../owner.ts'

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const page = '/spend?of=wallet'
const hostile = '<b>Poem</b> &'

/** An owner whose agent sells one task for 2.50. */
async function selling(id: string): Promise<Owner> {
  const owner = await ownerAt(url)
  const task = { task_id: 't', name: hostile, runtime: 'template', prompt: 'Done' }
  const tasks = [{ ...task, service_enabled: true, price_cents: 250 }]
  const visibility = { profile_visibility: 'public' }
  await owner.on('POST', '/api/characters/', { id, name: id, visibility, heart: { tasks } })
  return owner
}

it('the page of the wallet tops it up, and shows what was earned and paid', async () => {
  const buyer = await ownerAt(url)
  const { visitor } = buyer
  const empty = await visitor.get(page)
  expect(empty.heading).toBe('Money')
  expect(empty.text).toMatch(/In the wallet<\/dt>\s*<dd[^>]*>\$0\.00[^]*Nothing was paid in or out/)
  const form = { action: 'top_up', price_id: 'top_up_20', once: fieldOf(empty, 'once') }
  const leads = async () => {
    const { text } = await visitor.post('/spend', form)
    return /href="([^"]*)">Go on to pay/.exec(text)?.[1] ?? ''
  }
  const checkout = await leads()
  expect(await leads()).toBe(checkout)
  await fetch(checkout, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) })
  await until(async () => (await visitor.get(page)).text.includes('+$20.00'))
  const wrong = await visitor.post('/spend', { action: 'top_up', price_id: 'nothing' })
  expect(wrong.text).toMatch(/class="problem"[^]*There is no such price/)

  const seller = await selling('poet-1')
  const order = '/api/public/agents/poet-1/tasks/t/orders'
  await buyer.on('POST', order, {})
  await until(async () => (await seller.visitor.get(page)).text.includes('+$2.50'))
  const earned = (await seller.visitor.get(`${page}&kind=earning`)).text
  expect(earned).toMatch(/Earned this month<\/dt>\s*<dd[^>]*><a [^>]*>\$2\.50/)
  expect(earned).toMatch(/href="\/runs\/run_[^]*?&lt;b&gt;Poem&lt;\/b&gt; &amp;/)
  expect(earned).not.toContain('<b>Poem')

  const paid = (await visitor.get(page)).text
  expect(paid).toMatch(/In the wallet<\/dt>\s*<dd[^>]*>\$17\.50/)
  expect(paid).toMatch(/Paid this month<\/dt>\s*<dd[^>]*><a [^>]*>\$2\.50/)
  const [, bought = ''] = /href="(\/order\/ord_[^"]+)"/.exec(paid) ?? []
  expect((await visitor.get(bought)).heading).toContain('Poem')
  expect(paid).toMatch(/Paid<\/strong\s*>[^]*−\$2\.50[^]*Available again[^]*Set aside/)
  expect((await visitor.get(`${page}&kind=charge`)).text).not.toContain('Available again')
  // What is set aside and available again has neither gone out nor come in.
  const { money } = await buyer.on<{ money: object }>('GET', '/api/account/overview')
  expect(money).toMatchObject({ available_cents: 1750, in_cents: 2000, out_cents: 250 })
  const { text: home } = await seller.visitor.get('/home')
  expect(home).toMatch(/Spent today[^]*href="\/spend\?of=wallet"\s*>\$0\.00/)
})

it('the page of the wallet is read by readers, who top up nothing', async () => {
  const owner = await ownerAt(url)
  const { id: account } = await owner.on<{ id: string }>('GET', '/api/account')
  const reader = await registeredVisitor(url)
  await joined(reader, { ...owner, account }, 'reader')
  const seen = await reader.get(page)
  expect(seen.text).toContain('In the wallet')
  expect(seen.text).not.toContain('Go on to pay')
  const forged = await reader.post('/spend', { action: 'top_up', price_id: 'top_up_20' })
  expect(forged.text).not.toContain('Go on to pay')
  expect((await reader.get(`${page}&cursor=nonsense`)).status).toBe(400)
})
