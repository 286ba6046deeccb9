import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFacilitator } from '#adapters/payments/x402/facilitator.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import { requirementsOf } from '#src/money/orders/x402/ask.ts'
import { PaymentsFailed } from '#src/ports/payments.ts'
import type { Facilitator, X402Bill } from '#src/ports/x402.ts'
import {
  badSignature,
  paymentOf,
  startFacilitator,
  type Signing,
  type StandInFacilitator,
} from '#tests/support/facilitator.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

const mark = { key: 'x402_1', attempt: 1 }
const asked = { amount_cents: 250, resource: 'https://abode.example/orders', description: 'A poem' }

function facilitatorAt(url: string, allow = [url]): Facilitator {
  return openFacilitator({ url, sender: openSender({ allow, userAgent: 'abode-tests' }) })
}

describe('a facilitator over HTTP', () => {
  let chain: StandInFacilitator
  let facilitator: Facilitator

  beforeEach(async () => {
    chain = await startFacilitator()
    facilitator = facilitatorAt(chain.url)
  })
  afterEach(async () => {
    await facilitator.close()
    chain.close()
  })

  const billOf = (version: 1 | 2, signing: Signing = {}): X402Bill => {
    const requirements = requirementsOf(chain.terms, asked, version)
    if (!requirements) throw new Error('base has a name in both versions')
    return {
      version,
      payload: { ...paymentOf(chain.terms, 250, { version, ...signing }) },
      requirements,
    }
  }

  it('is asked in the words of version 1', async () => {
    const bill = billOf(1)
    expect(await facilitator.verify(bill)).toEqual({ isValid: true })
    expect(chain.asked).toEqual([
      {
        path: '/verify',
        body: {
          x402Version: 1,
          paymentPayload: bill.payload,
          paymentRequirements: {
            scheme: 'exact',
            network: 'base',
            maxAmountRequired: '2500000',
            resource: asked.resource,
            description: 'A poem',
            mimeType: 'application/json',
            payTo: chain.terms.pay_to,
            maxTimeoutSeconds: 60,
            asset: chain.terms.asset,
            extra: { name: 'USD Coin', version: '2' },
          },
        },
      },
    ])
  })

  it('is asked in the words of version 2', async () => {
    expect(await facilitator.verify(billOf(2))).toEqual({ isValid: true })
    expect(chain.asked[0]?.body).toMatchObject({
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted: { network: 'eip155:8453', amount: '2500000' } },
    })
    expect(chain.asked[0]?.body.paymentRequirements).toEqual({
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '2500000',
      payTo: chain.terms.pay_to,
      maxTimeoutSeconds: 60,
      asset: chain.terms.asset,
      extra: { name: 'USD Coin', version: '2' },
    })
  })

  it.each<[Signing, string]>([
    [{ signature: badSignature }, 'invalid_exact_evm_payload_signature'],
    [{ value: '1' }, 'invalid_exact_evm_payload_authorization_value'],
    [{ to: `0x${'1'.repeat(40)}` }, 'invalid_exact_evm_payload_recipient_mismatch'],
    [{ network: 'polygon' }, 'invalid_network'],
  ])('says why %j is no payment', async (signing, reason) => {
    expect(await facilitator.verify(billOf(1, signing))).toEqual({ isValid: false, reason })
    expect(await facilitator.settle(billOf(1, signing), mark)).toEqual({
      outcome: 'refused',
      reason,
    })
  })

  it('settles a payment, and says by which transaction', async () => {
    const bill = billOf(2)
    const settlement = await facilitator.settle(bill, mark)
    expect(settlement).toEqual({ outcome: 'settled', transaction: [...chain.paid.values()][0] })
    expect(await facilitator.settle(bill, mark)).toEqual({ outcome: 'used', reason: 'other' })
    chain.isForgiving = true
    expect(await facilitator.settle(bill, mark)).toEqual(settlement)
    expect(chain.paid.size).toBe(1)
  })

  it.each(['lost', 'dropped', 'busy', 'vague'] as const)(
    'does not know what became of a settlement that was %s',
    async (mishap) => {
      chain.mishaps.push(mishap)
      expect(await facilitator.settle(billOf(1), mark)).toEqual({ outcome: 'unknown' })
      expect(chain.paid.size).toBe(mishap === 'lost' || mishap === 'vague' ? 1 : 0)
    },
  )

  it('has done nothing where it was not reached', async () => {
    chain.close()
    expect(await facilitator.settle(billOf(1), mark)).toEqual({ outcome: 'not_done' })
    await expect(facilitator.verify(billOf(1))).rejects.toThrow(PaymentsFailed)
  })

  it('is not called at an address of this machine that the operator has not named', async () => {
    const guarded = facilitatorAt(chain.url, [])
    expect(await guarded.settle(billOf(1), mark)).toEqual({ outcome: 'not_done' })
    expect(chain.asked).toEqual([])
    await guarded.close()
  })
})

describe('answers of a facilitator', () => {
  let site: WebServer
  let facilitator: Facilitator
  const bill: X402Bill = {
    version: 1,
    payload: {},
    requirements: {
      scheme: 'exact',
      network: 'base',
      asset: '0x',
      payTo: '0x',
      maxTimeoutSeconds: 60,
      extra: {},
    },
  }
  const hash = `0x${'ab'.repeat(32)}`

  beforeEach(async () => {
    site = await startWebServer()
    facilitator = facilitatorAt(site.origin)
  })
  afterEach(async () => {
    await facilitator.close()
    site.close()
  })

  const answering = (path: string, status: number, body: unknown): void => {
    const said = typeof body === 'string' ? body : JSON.stringify(body)
    site.on(path, (_, response) => response.writeHead(status).end(said))
  }

  it.each<[number, unknown, object]>([
    [200, { success: true, transaction: hash }, { outcome: 'settled', transaction: hash }],
    [200, { success: true, transaction: '<b>' }, { outcome: 'settled', transaction: '' }],
    [200, { success: true }, { outcome: 'settled', transaction: '' }],
    [500, { success: true, transaction: hash }, { outcome: 'unknown' }],
    [200, { success: 'true' }, { outcome: 'unknown' }],
    [200, 'done', { outcome: 'unknown' }],
    [200, 'null', { outcome: 'unknown' }],
    [200, '', { outcome: 'unknown' }],
    [502, '<html>', { outcome: 'unknown' }],
    [429, {}, { outcome: 'not_done' }],
    [401, { success: false, errorReason: 'insufficient_funds' }, { outcome: 'not_done' }],
    [
      400,
      { success: false, errorReason: 'insufficient_funds' },
      { outcome: 'refused', reason: 'insufficient_funds' },
    ],
    // It was sent, and the facilitator did not wait for the outcome.
    [
      200,
      { success: false, errorReason: 'insufficient_funds', transaction: hash },
      { outcome: 'unknown' },
    ],
    [200, { success: false, errorReason: 'invalid_transaction_state' }, { outcome: 'unknown' }],
    [200, { success: false, errorReason: 'unexpected_settle_error' }, { outcome: 'unknown' }],
    [200, { success: false, errorReason: 7 }, { outcome: 'unknown' }],
    [200, { success: false }, { outcome: 'unknown' }],
    [
      200,
      { success: false, errorReason: 'NONCE_ALREADY_USED' },
      { outcome: 'used', reason: 'other' },
    ],
    [
      500,
      { success: false, errorReason: 'x', errorMessage: 'authorization is used or canceled' },
      { outcome: 'used', reason: 'other' },
    ],
  ])('to /settle: %i %j is %j', async (status, body, settlement) => {
    answering('/settle', status, body)
    expect(await facilitator.settle(bill, mark)).toEqual(settlement)
  })

  it.each<[number, unknown, object | undefined]>([
    [200, { isValid: true }, { isValid: true }],
    [400, { isValid: false, invalidReason: 'x' }, { isValid: false, reason: 'other' }],
    [200, { isValid: false }, { isValid: false, reason: 'other' }],
    [
      200,
      { isValid: false, invalidReason: 'insufficient_funds' },
      { isValid: false, reason: 'insufficient_funds' },
    ],
    [500, { isValid: true }, undefined],
    [200, { isValid: 1 }, undefined],
    [200, 'yes', undefined],
    [302, '', undefined],
  ])('to /verify: %i %j is %j', async (status, body, verdict) => {
    answering('/verify', status, body)
    const asked = facilitator.verify(bill)
    if (verdict) expect(await asked).toEqual(verdict)
    else await expect(asked).rejects.toThrow(/^the facilitator/)
  })
})
