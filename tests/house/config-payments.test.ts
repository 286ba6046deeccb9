import { describe, expect, test } from 'vitest'
import { ConfigFaults, readConfig } from '#adapters/config/read.ts'

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults
    throw error
  }
  return []
}

const once = {
  id: 'coffee',
  name: 'A coffee',
  amount_cents: 300,
  currency: 'eur',
  kind: 'one_time',
}
const monthly = { ...once, id: 'club', kind: 'recurring', interval: 'month', char_id: 'ada' }

const terms = {
  pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  network: 'base',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  units_per_cent: 10_000,
  facilitator: 'https://facilitator.example/v2/',
}

function pricesOf(...list: unknown[]): readonly string[] {
  return faultsOf({ ABODE_PRICES: JSON.stringify(list) })
}

function termsWith(changed: Record<string, unknown>): readonly string[] {
  return faultsOf({ ABODE_X402: JSON.stringify({ ...terms, ...changed }) })
}

describe('ABODE_PRICES', () => {
  test('are read with what they leave out', () => {
    const { prices } = readConfig({ ABODE_PRICES: JSON.stringify([once, monthly]) })
    expect(prices).toEqual([
      { ...once, description: null, interval: null, char_id: null },
      { ...monthly, description: null },
    ])
  })

  test.each<[string, unknown[], string]>([
    ['no list', [], 'ABODE_PRICES must name a price; leave it out for the default, not "[]"'],
    ['no price', [12], 'ABODE_PRICES /0 must be a price, not "12"'],
    [
      'a free one',
      [{ ...once, amount_cents: 0 }],
      'ABODE_PRICES /0/amount_cents must be a whole number from 1 to 99999999, not "0"',
    ],
    [
      'a negative one',
      [{ ...once, amount_cents: -5 }],
      'ABODE_PRICES /0/amount_cents must be a whole number from 1 to 99999999, not "-5"',
    ],
    [
      'half a cent',
      [once, { ...once, id: 'b', amount_cents: 12.5 }],
      'ABODE_PRICES /1/amount_cents must be a whole number from 1 to 99999999, not "12.5"',
    ],
    [
      'an amount in words',
      [{ ...once, amount_cents: '300' }],
      'ABODE_PRICES /0/amount_cents must be a whole number from 1 to 99999999, not "300"',
    ],
    [
      'a currency in capitals',
      [{ ...once, currency: 'EUR' }],
      'ABODE_PRICES /0/currency must be three lower-case letters of ISO 4217, such as eur, not "EUR"',
    ],
    [
      'two currencies',
      [once, { ...once, id: 'b', currency: 'usd' }],
      'ABODE_PRICES /1/currency must be that of the first price: there is one for all, not "usd"',
    ],
    [
      'one id twice',
      [once, once],
      'ABODE_PRICES /1/id must be another than that of any price before it, not "coffee"',
    ],
    [
      'a subscription without interval',
      [{ ...once, kind: 'recurring' }],
      'ABODE_PRICES /0/interval is missing: it must be named where the kind is recurring, and nowhere else',
    ],
    [
      'an interval of what is paid once',
      [{ ...once, interval: 'day' }],
      'ABODE_PRICES /0/interval must be named where the kind is recurring, and nowhere else, not "day"',
    ],
    [
      'access by what is paid once',
      [{ ...once, char_id: 'ada' }],
      'ABODE_PRICES /0/char_id must be null where the kind is one_time: a subscription alone gives access, not "ada"',
    ],
    [
      'another member',
      [{ ...once, amount_cent: 5 }],
      'ABODE_PRICES /0/amount_cent is not a member of it; did you mean amount_cents?',
    ],
    [
      'a member too few',
      [{ ...once, name: undefined }],
      'ABODE_PRICES /0/name is missing: it must be a text of 1 to 200 characters',
    ],
  ])('%s is a fault of one line', (_, list, line) => {
    expect(pricesOf(...list)).toEqual([line])
  })

  test('every fault of them is told', () => {
    const wrong = { ...once, id: 'a b', amount_cents: 'x', currency: '' }
    const told = pricesOf(wrong, { ...once, kind: 'weekly' }).map((line) => line.split(' ')[1])
    expect(told).toEqual(['/0/id', '/0/amount_cents', '/0/currency', '/1/kind'])
  })

  test.each([
    ['12', 'ABODE_PRICES must be a JSON object or array, not "12"'],
    ['{"id":"p"}', 'ABODE_PRICES must be a list of prices, not "{\\"id\\":\\"p\\"}"'],
  ])('%s are none', (text, line) => {
    expect(faultsOf({ ABODE_PRICES: text })).toEqual([line])
  })
})

describe('ABODE_X402', () => {
  test('is read with what it leaves out', () => {
    expect(readConfig({ ABODE_X402: JSON.stringify(terms) }).x402).toEqual({
      ...terms,
      facilitator: 'https://facilitator.example/v2',
      extra: {},
      max_timeout_seconds: 60,
    })
  })

  test('may name a facilitator of this machine without encryption, and a token of 18 decimals', () => {
    expect(termsWith({ facilitator: 'http://127.0.0.1:4020' })).toEqual([])
    expect(termsWith({ facilitator: 'http://localhost:4020/x402' })).toEqual([])
    expect(termsWith({ units_per_cent: 1e16 })).toEqual([])
  })

  test.each<[Record<string, unknown>, RegExp]>([
    [{ facilitator: 'http://hush.example' }, /^ABODE_X402 \/facilitator must be an https address/],
    [{ facilitator: 'https://hush:hush@x.example' }, /\/facilitator must be an https address/],
    [{ facilitator: 'hush' }, /\/facilitator must be an https address/],
    [{ units_per_cent: 0 }, /^ABODE_X402 \/units_per_cent must be a whole number from 1 to /],
    [{ units_per_cent: 0.5 }, /^ABODE_X402 \/units_per_cent must be a whole number/],
    [{ units_per_cent: 1e17 }, /^ABODE_X402 \/units_per_cent must be a whole number/],
    [{ pay_to: 'hush' }, /^ABODE_X402 \/pay_to must be the address that is paid: 0x and 40/],
    [{ network: 'eip155:hush' }, /^ABODE_X402 \/network must be a network, such as base/],
    [
      { pay_to: undefined },
      /^ABODE_X402 \/pay_to is missing: it must be the address that is paid$/,
    ],
    [{ max_timeout_seconds: 5 }, /^ABODE_X402 \/max_timeout_seconds must be a whole number of sec/],
    [{ extra: 'hush' }, /^ABODE_X402 \/extra must be an object$/],
    [{ payto: 'hush' }, /^ABODE_X402 \/payto is not a member of it; did you mean pay_to\?$/],
  ])('%j is a fault of one line that shows nothing of it', (changed, line) => {
    const faults = termsWith(changed)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(line)
    expect(faults.join()).not.toMatch(/hush|\n/)
  })

  test('that is no JSON is not shown', () => {
    expect(faultsOf({ ABODE_X402: '{hush' })).toEqual(['ABODE_X402 must be a JSON object or array'])
    expect(faultsOf({ ABODE_X402: '[]' })).toEqual(['ABODE_X402 must be an object'])
  })
})

describe('the secrets of Stripe', () => {
  const both = { STRIPE_SECRET_KEY: 'sk_test_hush', STRIPE_WEBHOOK_SECRET: 'whsec_hush' }

  test('go to an address that is encrypted, or on this machine', () => {
    const base = 'http://127.0.0.1:12111'
    expect(readConfig({ ...both, STRIPE_API_BASE: base }).stripe.apiBase).toBe(base)
    expect(readConfig(both).stripe.apiBase).toBe('https://api.stripe.com')
  })

  test('are read where both are there', () => {
    expect(readConfig(both).stripe).toMatchObject({
      secretKey: 'sk_test_hush',
      webhookSecret: 'whsec_hush',
    })
    expect(readConfig({ ...both, STRIPE_SECRET_KEY: 'rk_live_hush' }).stripe.secretKey).toBe(
      'rk_live_hush',
    )
  })

  test.each<[Record<string, string>, string]>([
    [
      { STRIPE_SECRET_KEY: both.STRIPE_SECRET_KEY },
      'STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is: Stripe needs both',
    ],
    [
      { STRIPE_WEBHOOK_SECRET: both.STRIPE_WEBHOOK_SECRET },
      'STRIPE_SECRET_KEY must be set when STRIPE_WEBHOOK_SECRET is: Stripe needs both',
    ],
    [
      { ...both, STRIPE_SECRET_KEY: 'pk_test_hush' },
      'STRIPE_SECRET_KEY must begin with sk_ or rk_',
    ],
    [
      { ...both, STRIPE_WEBHOOK_SECRET: 'sk_test_hush' },
      'STRIPE_WEBHOOK_SECRET must begin with whsec_',
    ],
    [
      { ...both, STRIPE_SECRET_KEY: 'hush\n' },
      'STRIPE_SECRET_KEY must be printable ASCII without spaces',
    ],
    [
      { ...both, STRIPE_API_BASE: 'http://stripe.example' },
      'STRIPE_API_BASE must be scheme, host and port: https, and http only on this machine, not "http://stripe.example"',
    ],
    [
      { ...both, STRIPE_API_BASE: 'https://stripe.example/v1' },
      'STRIPE_API_BASE must be scheme, host and port: https, and http only on this machine, not "https://stripe.example/v1"',
    ],
    [
      { ...both, STRIPE_API_BASE: 'https://me:hush@stripe.example' },
      'STRIPE_API_BASE must be scheme, host and port: https, and http only on this machine',
    ],
  ])('%j is a fault that shows neither', (env, line) => {
    expect(faultsOf(env)).toEqual([line])
  })
})
