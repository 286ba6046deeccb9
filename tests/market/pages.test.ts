import { beforeAll, describe, expect, it } from 'vitest'
import { paySession } from '#adapters/payments/test/sessions.ts'
import { randomHex } from '#src/core/ids.ts'
import {
  fieldOf,
  pageVisitor,
  registeredVisitor,
  type PageVisitor,
} from '#tests/accounts/people/page-visitor.ts'
import { book, topUp } from '#tests/money/wallet/movements.ts'
import { served } from '#tests/support/served/served.ts'
import { until } from '#tests/support/until.ts'

const server = served({
  character: {
    id: 'market-ada',
    name: '<b>Ada</b> evil',
    bio: 'w'.repeat(10_000),
    visibility: {
      profile_visibility: 'public',
      show_in_directory: true,
      public_bio: '<script>alert(1)</script> \u202eevil\u200b',
      public_sections: ['bio'],
    },
  },
})
const place = '/directory/market-ada'
const types =
  'text textarea email url date number integer boolean checkbox select radio multiselect'
const fields = types.split(' ').map((type) => ({
  key: `the/${type}`,
  label: `${type} <i>`,
  type,
  required: type !== 'boolean',
  options: ['select', 'radio', 'multiselect'].includes(type) ? ['ink', 'a "quoted" one'] : [],
}))
const filled = {
  'member.the/text': '<script>alert(2)</script>',
  'member.the/textarea': 'two\nlines',
  'member.the/email': 'kim@example.org',
  'member.the/url': 'https://example.org',
  'member.the/date': '2026-02-28',
  'member.the/number': '1.5',
  'member.the/integer': '7',
  'member.the/checkbox': 'true',
  'member.the/select': 'ink',
  'member.the/radio': 'ink',
  'member.the/multiselect': 'a "quoted" one',
}

const offer = (task: object) =>
  server.world.ask(
    'tasks.create',
    {
      char_id: 'market-ada',
      task: { runtime: 'template', service_enabled: true, prompt: 'Drawn: {{input}}', ...task },
    },
    server.key,
  )
const orders = () => server.world.ports.store.orders.find({ char_id: 'market-ada' })
const ordered = async (by: PageVisitor, service: string, form: Record<string, string> = {}) => {
  const once = fieldOf(await by.get(`${place}/${service}`), 'once')
  return by.post(`${place}/${service}`, { once, ...form })
}
const ended = (by: PageVisitor, path: string) =>
  until(async () => !(await by.get(path)).text.includes('Look again'))

beforeAll(async () => {
  await offer({ task_id: 'portrait', name: 'A portrait <b>', form_schema: { fields } })
  await offer({ task_id: 'free', name: 'Free words' })
  await offer({ task_id: 'paid', name: 'Paid', price_cents: 300 })
})

describe('the directory', () => {
  it('lists and finds public agents, and shows one with what it offers, as text that does nothing', async () => {
    const by = pageVisitor(server.url)
    for (const path of ['/directory', '/directory?q=evil', place]) {
      const { status, text, headers } = await by.get(path)
      expect([status, text.includes('market-ada')], path).toEqual([200, true])
      const page = text.replace(/<script type="application\/ld\+json">[^]*?<\/script>/, '')
      expect(page, path).not.toMatch(/<script|<b>Ada|\u202e|\u200b/)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const { text } = await by.get(place)
    expect(text).toContain(`href="${place}/portrait"`)
    const [, json = ''] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(text) ?? []
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'SoftwareApplication',
      offers: expect.arrayContaining([
        expect.objectContaining({ price: '3.00', priceCurrency: 'USD' }),
      ]) as object[],
    })
    const index = await (await fetch(`${server.url}/sitemap.xml`)).text()
    expect(index).toContain('/sitemap-directory.xml')
    const list = await (await fetch(`${server.url}/sitemap-directory.xml`)).text()
    expect(list).toContain(`<loc>${server.url}${place}</loc>`)
  })

  it('has nothing for what is unknown or broken', async () => {
    const by = pageVisitor(server.url)
    for (const path of [
      '/directory/no-one',
      '/directory?cursor=broken',
      `${place}/none`,
      `/directory/${'x'.repeat(200)}`,
      '/order/ord_none',
    ]) {
      expect((await by.get(path)).status, path).toBe(404)
    }
  })
})

describe('the form of a service', () => {
  it('asks for every kind of field, keeps what was typed, and orders once', async () => {
    const by = pageVisitor(server.url)
    const shown = await by.get(`${place}/portrait`)
    const once = fieldOf(shown, 'once')
    const wrong = { ...filled, once, 'member.the/integer': '1.5', 'member.the/email': 'no' }
    const refused = await by.post(`${place}/portrait`, wrong)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('It must be a number without a fraction.')
    expect(refused.text).toContain('&lt;script&gt;alert(2)')
    expect(await orders()).toEqual([])
    const form = { ...filled, once }
    const sent = await Promise.all([1, 2].map(() => by.post(`${place}/portrait`, form)))
    expect(sent.map(({ status }) => status)).toEqual([303, 303])
    expect(new Set(sent.map(({ goesTo }) => goesTo)).size).toBe(1)
    expect(await orders()).toHaveLength(1)
    const path = sent[0]?.goesTo ?? ''
    await ended(by, path)
    const { text } = await by.get(path)
    expect(text).toContain('&lt;script&gt;alert(2)')
    expect(text).toContain('delivered')
    expect(text).toContain(`<a href="${place}"><bdi>&lt;b&gt;Ada&lt;/b&gt; evil</bdi></a>`)
    expect(text).toContain('<dd>Free</dd>')
    expect((await pageVisitor(server.url).get(path.replace(/\?.*/, ''))).status).toBe(404)
  })

  it('says that a service went away, and orders nothing that others send', async () => {
    const by = pageVisitor(server.url)
    await offer({ task_id: 'gone', name: 'Soon gone' })
    const once = fieldOf(await by.get(`${place}/gone`), 'once')
    const foreign = { origin: 'https://evil.example' }
    expect((await by.post(`${place}/gone`, { once }, foreign)).status).toBe(403)
    const at = { char_id: 'market-ada', task_id: 'gone' }
    await server.world.ask('tasks.update', { ...at, service_enabled: false }, server.key)
    const { status, text } = await by.post(`${place}/gone`, { once })
    expect([status, text.includes('Nothing was ordered')]).toEqual([404, true])
    expect((await orders()).filter(({ task_id }) => task_id === 'gone')).toEqual([])
  })
})

describe('the page of an order', () => {
  it('leads a stranger to pay, shows what was delivered, and takes one rating', async () => {
    const by = pageVisitor(server.url)
    const { goesTo } = await ordered(by, 'paid', { 'member.request': 'A cat' })
    expect((await by.get(goesTo)).text).toContain('Pay</a>')
    const [made] = (await orders()).filter(({ task_id }) => task_id === 'paid')
    const token = new URLSearchParams(goesTo.split('?')[1]).get('token') ?? ''
    const rating = { token, stars: '5', comment: `Fine <b>\u202e${'w'.repeat(900)}` }
    const early = await by.post(goesTo, { ...rating, once: randomHex(16) })
    expect([early.status, early.text.includes('paid for and delivered')]).toEqual([409, true])
    const { ports } = server.world
    const checkout = await ports.store.checkouts.get(made?.checkout_id ?? '')
    await paySession(ports, checkout?.session ?? '')
    await server.world.ask('orders.create', {
      char_id: 'market-ada',
      task_id: 'paid',
      form: made?.form,
      checkout_id: made?.checkout_id,
    })
    await ended(by, goesTo)
    expect((await by.post(goesTo, { token, stars: '9' })).text).toContain('Choose one of them.')
    const once = randomHex(16)
    const twice = await Promise.all([1, 2].map(() => by.post(goesTo, { ...rating, once })))
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    const { text } = await by.get(goesTo)
    expect(text).toContain('5 of 5')
    expect(text).not.toMatch(/<b>|\u202e/)
    const again = await by.post(goesTo, { ...rating, once: randomHex(16) })
    expect([again.status, again.text.includes('has been rated')]).toEqual([409, true])
  })

  it('is paid from the wallet of who is signed in, and is there for no other', async () => {
    const [by, other] = [await registeredVisitor(server.url), await registeredVisitor(server.url)]
    const me = (await (await by.call('GET', '/api/auth/me')).json()) as { account_id: string }
    await book(server.world.ports.store, { ...topUp(me.account_id, 1000, 'one'), currency: 'usd' })
    const { goesTo } = await ordered(by, 'paid')
    expect(goesTo).not.toContain('token')
    await ended(by, goesTo)
    expect((await by.get(goesTo)).text).toContain('Rate it')
    expect((await other.get(goesTo)).status).toBe(404)
    const hidden = { char_id: 'market-ada', visibility: { profile_visibility: 'private' } }
    await server.world.ask('characters.visibility.update', hidden, server.key)
    const { status, text } = await by.get(goesTo)
    expect([status, text.includes(`href="${place}"`)]).toEqual([200, false])
  })
})
