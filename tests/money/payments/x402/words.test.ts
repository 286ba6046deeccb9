import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '#src/core/errors.ts'
import { networkIn, requirementsOf, unitsOf, x402Offer } from '#src/money/orders/x402/ask.ts'
import { objectionTo, paymentKey, readPayment } from '#src/money/orders/x402/payment.ts'
import { paymentOf, signedPayment, x402TermsAt } from '#tests/support/facilitator.ts'

const terms = x402TermsAt('https://facilitator.example')
const asked = { amount_cents: 250, resource: 'https://a.example/orders', description: 'A poem' }

describe('what x402 is asked for', () => {
  it.each([
    ['base', 'base', 'eip155:8453'],
    ['eip155:8453', 'base', 'eip155:8453'],
    ['base-sepolia', 'base-sepolia', 'eip155:84532'],
    ['eip155:1', undefined, 'eip155:1'],
    ['newchain', 'newchain', undefined],
  ])('on %s is on %s in version 1 and on %s in version 2', (network, one, two) => {
    expect([networkIn(1, network), networkIn(2, network)]).toEqual([one, two])
    const offer = x402Offer({ ...terms, network }, asked)
    expect(offer.x402Version).toBe(one === undefined ? 2 : 1)
    expect(offer.accepts).toHaveLength(1)
    expect(offer.x402?.accepts[0]?.network).toBe(two)
  })

  it('is exact in the units of any token', () => {
    expect(unitsOf(terms, 1)).toBe('10000')
    expect(unitsOf({ ...terms, units_per_cent: 1e16 }, 99_999_999)).toBe('999999990000000000000000')
    expect(requirementsOf(terms, asked, 1)).toHaveProperty('maxAmountRequired', '2500000')
    expect(requirementsOf(terms, asked, 2)).toHaveProperty('amount', '2500000')
  })
})

describe('a payment', () => {
  const now = new Date()

  it('is what was asked for, in any letter case of its addresses', () => {
    for (const version of [1, 2] as const) {
      const to = terms.pay_to.toLowerCase()
      const payment = readPayment(signedPayment(terms, 250, { version, to }))
      expect(objectionTo(payment, terms, 250, now)).toBeUndefined()
      expect(payment.payload).toMatchObject({ x402Version: version })
    }
  })

  it('is read in either alphabet of base64', () => {
    const text = JSON.stringify({ ...paymentOf(terms, 250), note: '>>>???~~~' })
    for (const encoding of ['base64', 'base64url'] as const) {
      const sent = Buffer.from(text).toString(encoding)
      expect(readPayment(sent).value).toBe(2_500_000n)
    }
  })

  it('is another by payer, nonce, network and token, and by nothing else', () => {
    const payment = { payer: `0x${'1'.repeat(40)}`, nonce: 7n }
    const key = paymentKey(payment, terms)
    const same = { ...terms, network: 'eip155:8453', asset: terms.asset.toUpperCase() }
    expect(paymentKey(payment, same)).toBe(key)
    const others = [
      paymentKey({ ...payment, nonce: 8n }, terms),
      paymentKey({ ...payment, payer: `0x${'2'.repeat(40)}` }, terms),
      paymentKey(payment, { ...terms, network: 'polygon' }),
      paymentKey(payment, { ...terms, asset: terms.pay_to }),
    ]
    expect(new Set([key, ...others]).size).toBe(5)
  })

  it('that is none is refused, and nothing else happens', () => {
    const encoded = (text: string): string => Buffer.from(text).toString('base64')
    const anything = fc.oneof(
      fc.string(),
      fc.json().map(encoded),
      fc
        .record({ x402Version: fc.constantFrom(1, 2), payload: fc.jsonValue() })
        .map((value) => encoded(JSON.stringify(value))),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
    )
    fc.assert(
      fc.property(anything, (text) => {
        try {
          readPayment(text)
        } catch (cause) {
          expect(cause).toBeInstanceOf(Refusal)
          expect(cause).toMatchObject({ code: 'invalid_input' })
          return
        }
        throw new Error('that was a payment')
      }),
    )
  })

  it('with one member wrong is refused by the name of that member', () => {
    const whole = paymentOf(terms, 250) as { payload: { authorization: object } }
    const names = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce']
    for (const name of names) {
      for (const value of [undefined, 12, '-1', '0x', '', ' 1', '1e9', `0x${'1'.repeat(80)}`]) {
        const authorization = { ...whole.payload.authorization, [name]: value }
        const sent = { ...whole, payload: { ...whole.payload, authorization } }
        const text = Buffer.from(JSON.stringify(sent)).toString('base64')
        expect(() => readPayment(text), `${name} ${value}`).toThrow(
          `Its payload.authorization.${name} is missing or wrong.`,
        )
      }
    }
  })
})
