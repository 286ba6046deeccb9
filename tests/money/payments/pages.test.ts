import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { catalog } from '#src/catalog.ts'
import { randomHex } from '#src/core/ids.ts'
import type { CheckoutLine, Payments, Price } from '#src/ports/payments.ts'
import { Unavailable } from '#src/ports/store.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { lastingWindow } from '#tests/support/rest/windows.ts'

const hour = 3_600_000
const elsewhere = 'https://elsewhere.example'
const markup = `<script>alert(1)</script><img src=x onerror='alert("1")'> & "co"`

let server: Serving
let payments: Payments
let url = ''
let customer = ''
/** By how much the server's clock is ahead. */
let ahead = 0

const clock = { ...systemClock, now: () => new Date(Date.now() + ahead) }
beforeAll(async () => {
  server = await serving({}, catalog, { clock })
  ;({ url } = server)
  ;({ payments } = server.abode.ports)
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  ahead = 0
  customer = `test_customer_acc_${randomHex(8)}`
})

const supporter: Price = {
  id: 'p',
  name: markup,
  description: markup,
  amount_cents: 900,
  currency: 'usd',
  kind: 'recurring',
  interval: 'month',
  char_id: null,
}

async function opened(
  line: CheckoutLine = { name: 'A service', amount_cents: 1250, currency: 'eur' },
  done_url = `${url}/pay/done`,
) {
  const terms = { id: `chk_${randomHex(8)}`, line, customer, account_id: 'acc_1', done_url }
  const expires_at = new Date(clock.now().getTime() + 24 * hour)
  return payments.openCheckout({ ...terms, cancel_url: `${url}/pay/cancelled`, expires_at })
}

async function get(address: string, init: RequestInit = {}) {
  const response = await fetch(address, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const post = (
  address: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) => get(address, { method: 'POST', body: new URLSearchParams(form), headers })

const pay = { action: 'pay' }

/** All pages that there are, with what each of them answers. */
async function everyPage(): Promise<[string, number][]> {
  const { url: open } = await opened({ price: supporter })
  const { url: paid } = await opened()
  await post(paid, pay)
  const { url: portal } = await payments.openPortal(customer, url)
  return [
    [open, 200],
    [`${open}?declined`, 200],
    [paid, 200],
    [portal, 200],
    [`${url}/pay/test_session_0`, 404],
    [`${url}/pay/portal/0`, 404],
    [`${url}/pay/done`, 200],
    [`${url}/pay/cancelled`, 200],
  ]
}

describe('the hosted pages', () => {
  it('run nothing, are never cached or framed, and say that nothing is charged', async () => {
    for (const [address, status] of await everyPage()) {
      const page = await get(address)
      expect(page.status, address).toBe(status)
      const headers = Object.fromEntries(page.headers)
      expect(headers, address).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      const policy = (page.headers.get('content-security-policy') ?? '').split('; ')
      expect(policy.filter((rule) => !rule.startsWith('form-action'))).toEqual([
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
      expect(page.text).toContain('Test mode: nothing is charged')
      expect(page.text).not.toMatch(/<(?:script|img|iframe)|<[^>]*\s(?:on\w+|style)=/i)
      expect(page.text.match(/<(main|h1|title|html lang="en")[ >]/g)).toHaveLength(4)
    }
  })

  it('show names with markup as text', async () => {
    const page = await get((await opened({ price: supporter })).url)
    expect(page.text.split('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img')).toHaveLength(3)
    const { url: bought } = await opened({ name: markup, amount_cents: 1, currency: 'usd' })
    await post(bought, pay)
    const { url: subscription } = await opened({ price: supporter })
    await post(subscription, pay)
    const portal = await get((await payments.openPortal(customer, url)).url)
    expect(portal.text.split('&lt;script&gt;').length).toBeGreaterThan(3)
    expect(portal.text).not.toMatch(/<script|<img/)
    expect(portal.text).toContain('&quot;co&quot;')
  })

  it('let a form lead to where it is done, and nowhere else', async () => {
    const { url: open } = await opened(undefined, `${elsewhere}/thanks?a=1`)
    const page = await get(open)
    expect(page.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${elsewhere};`,
    )
    const answer = await post(open, pay)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`${elsewhere}/thanks?a=1`)
  })

  it('lead to no address outside the web', async () => {
    // Spelled so that no linter takes it for an address of the project.
    const { url: open, session } = await opened(undefined, ['javascript', 'alert(1)'].join(':'))
    const answer = await post(open, pay)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('This is paid')
    expect(answer.text).not.toContain('javascript:')
    expect(await payments.checkout(session)).toMatchObject({ status: 'paid' })
  })

  it('write amounts as their currency has them', async () => {
    const shown = async (amount_cents: number, currency: string) =>
      (await get((await opened({ name: 'x', amount_cents, currency })).url)).text
    expect(await shown(1_234_567, 'eur')).toContain('€12,345.67')
    expect(await shown(500, 'jpy')).toContain('¥500')
    expect(await shown(1234, 'kwd')).toContain('1.234')
    const page = await get((await opened({ price: supporter })).url)
    expect(page.text).toContain('$9.00 per month')
  })

  it('answer HEAD as GET, say which methods they have, and keep no others', async () => {
    const { url: open, session } = await opened()
    const head = await get(open, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    const put = await get(open, { method: 'PUT', body: 'action=pay' })
    expect(put.status).toBe(405)
    expect(put.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST')
    expect((await post(`${url}/pay/done`, pay)).status).toBe(405)
    expect(await payments.checkout(session)).toEqual({ status: 'open' })
  })
})

describe('a page to pay on', () => {
  it('pays once, however often its form is sent', async () => {
    const { url: open, session } = await opened()
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(open, pay)))
    for (const answer of answers) {
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`${url}/pay/done`)
    }
    const paid = await payments.checkout(session)
    expect((await post(open, pay)).status).toBe(303)
    expect(await payments.checkout(session)).toEqual(paid)
    const portal = await get((await payments.openPortal(customer, url)).url)
    expect(portal.text.split('A service')).toHaveLength(2)
    expect((await get(open)).text).toContain('This is paid')
  })

  it('declines a card and stays open', async () => {
    const { url: open, session } = await opened()
    const answer = await post(open, { action: 'decline' })
    expect(answer.status).toBe(303)
    const back = new URL(answer.headers.get('location') ?? '', open)
    const page = await get(back.href)
    expect(page.text).toContain('role="alert"')
    expect(page.text).toContain('The card was declined')
    expect(await payments.checkout(session)).toEqual({ status: 'open' })
    expect((await post(open, pay)).status).toBe(303)
  })

  it('does nothing by a form that is none of its own', async () => {
    const { url: open, session } = await opened()
    for (const form of [{}, { action: 'PAY' }, { action: 'x'.repeat(4000) }, { pay: '' }]) {
      expect((await post(open, form as Record<string, string>)).status).toBe(200)
    }
    expect((await post(open, { action: 'pay', more: 'x'.repeat(20_000) })).status).toBe(413)
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
      const init = { method: 'POST', body: 'action=pay', headers: { 'content-type': type } }
      expect((await get(open, init)).status).toBe(415)
    }
    const none = await get(open, { method: 'POST' })
    expect(none.status).toBe(415)
    expect(await payments.checkout(session)).toEqual({ status: 'open' })
  })

  it('takes no form from a page of others', async () => {
    const { url: open, session } = await opened()
    const foreign: Record<string, string>[] = [
      { origin: elsewhere },
      { origin: `${url}.elsewhere.example` },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      const answer = await post(open, pay, headers)
      expect(answer.status, JSON.stringify(headers)).toBe(403)
      expect(answer.text).toContain('Nothing was done')
    }
    expect(await payments.checkout(session)).toEqual({ status: 'open' })
    expect((await post(open, pay, { origin: url })).status).toBe(303)
    const { url: another } = await opened()
    const own = { origin: 'null', 'sec-fetch-site': 'same-origin' }
    expect((await post(another, pay, own)).status).toBe(303)
  })

  it('says that it is to be loaded again while the store is away', async () => {
    const { url: open, session } = await opened()
    const { store } = server.abode.ports
    for (const ask of [() => get(open), () => post(open, pay)]) {
      const away = vi.spyOn(store.test_payments, 'get')
      away.mockRejectedValueOnce(new Unavailable('no secret of the store'))
      const page = await ask()
      expect(away).toHaveBeenCalled()
      away.mockRestore()
      expect(page.status).toBe(503)
      expect(page.headers.get('retry-after')).toBe('2')
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.text).not.toContain('no secret')
    }
    expect(await payments.checkout(session)).toEqual({ status: 'open' })
  })

  it('is paid although the service does not hear of it at once', async () => {
    const { url: open, session } = await opened()
    const deaf = vi.spyOn(server.abode.ports.store.checkouts, 'find')
    deaf.mockRejectedValueOnce(new Unavailable('away'))
    expect((await post(open, pay)).status).toBe(303)
    deaf.mockRestore()
    expect(await payments.checkout(session)).toMatchObject({ status: 'paid' })
    expect(server.logged).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'an event of the test provider was not handled',
      }),
    )
  })

  it('expires', async () => {
    const { url: open, session } = await opened()
    ahead = 25 * hour
    for (const page of [await get(open), await post(open, pay), await get(`${open}?declined`)]) {
      expect(page.status).toBe(410)
      expect(page.text).toContain('expired')
      expect(page.text).not.toContain('<button')
    }
    expect(await payments.checkout(session)).toEqual({ status: 'expired' })
  })

  it('is at no other address', async () => {
    const { session } = await opened()
    const { id: portal } = await payments.openPortal(customer, url)
    const garbage = ['x', portal, `${session}x`, session.slice(1), '%00', 'a/b', "'--", '..%2fx']
    for (const id of [...garbage, `portal/${session}`, 'portal/', 'x'.repeat(5000)]) {
      for (const page of [await get(`${url}/pay/${id}`), await post(`${url}/pay/${id}`, pay)]) {
        expect(page.status, id).toBe(404)
        expect(page.text, id).toContain('Look at the address again')
      }
    }
    expect((await get(`${url}/pay`)).status).toBe(404)
    expect((await get(`${url}/pay/%ff`)).status).toBe(400)
    expect(await payments.checkout(session)).toEqual({ status: 'open' })
  })
})

describe('the page of a customer', () => {
  const subscribed = async () => {
    const { url: open, session } = await opened({ price: { ...supporter, name: 'Supporter' } })
    await post(open, pay)
    const state = await payments.checkout(session)
    return (state?.status === 'paid' && state.subscription) || ''
  }

  it('shows subscriptions and payments, the newest first, and ends what it is told to', async () => {
    await post((await opened({ name: 'First', amount_cents: 100, currency: 'usd' })).url, pay)
    ahead = 1000
    await post((await opened({ name: 'Second', amount_cents: 100, currency: 'usd' })).url, pay)
    const id = await subscribed()
    const { url: portal } = await payments.openPortal(customer, `${url}/pay/done`)
    const { text } = await get(portal)
    expect(text.indexOf('Second')).toBeLessThan(text.indexOf('First'))
    expect(text).toContain(`href="${url}/pay/done"`)
    expect(text).toContain('aria-label="Cancel Supporter"')
    const answer = await post(portal, { cancel: id })
    expect(answer.status).toBe(303)
    expect(await payments.subscription(id)).toMatchObject({ status: 'ended' })
    const after = await get(new URL(answer.headers.get('location') ?? '', portal).href)
    expect(after.text).toContain('The subscription has ended')
    expect(after.text).not.toContain('<button')
    // What has ended is not ended again, and that is no error.
    expect((await post(portal, { cancel: id })).status).toBe(303)
  })

  it('ends nothing of other customers', async () => {
    const id = await subscribed()
    customer = `test_customer_acc_${randomHex(8)}`
    const { url: portal } = await payments.openPortal(customer, url)
    expect((await get(portal)).text).not.toContain('Supporter')
    for (const cancel of [id, '', 'x', customer]) {
      expect((await post(portal, { cancel })).headers.get('location')).toBe('?')
    }
    expect((await post(portal, { cancel: id }, { origin: elsewhere })).status).toBe(403)
    expect(await payments.subscription(id)).toMatchObject({ status: 'active' })
  })

  it('shows what was renewed, and what was given back', async () => {
    const { url: bought, session } = await opened()
    await post(bought, pay)
    const state = await payments.checkout(session)
    await payments.refund((state?.status === 'paid' && state.payment) || '', 250, session)
    await subscribed()
    ahead = 40 * 24 * hour
    const { text } = await get((await payments.openPortal(customer, url)).url)
    expect(text).toContain('€2.50 given back')
    expect(text.split('<p class="sum">$9.00</p>')).toHaveLength(3)
  })

  it('expires after an hour', async () => {
    const id = await subscribed()
    const { url: portal } = await payments.openPortal(customer, url)
    ahead = hour - 10_000
    expect((await get(portal)).status).toBe(200)
    ahead = hour + 1000
    expect((await get(portal)).status).toBe(410)
    expect((await post(portal, { cancel: id })).status).toBe(410)
    expect(await payments.subscription(id)).toMatchObject({ status: 'active' })
  })
})

it('counts its pages as reads of the address', async () => {
  await using limited = await serving(
    { ABODE_RATE_LIMITS: `anonymous_reads=2/${lastingWindow()}` },
    catalog,
  )
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await get(`${limited.url}/pay/done`)).status)
  expect(statuses).toEqual([200, 200, 429])
  const { headers, text } = await get(`${limited.url}/pay/done`)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('content-type')).toContain('text/html')
  expect(text).toContain('<h1>')
})
