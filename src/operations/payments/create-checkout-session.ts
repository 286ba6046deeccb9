import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { checkoutByKey } from '#src/money/orders/key-spend.ts'
import { Checkout } from '#src/money/payments/checkout.ts'
import { openedCheckout, publicCheckout, reached } from '#src/money/payments/open-checkout.ts'
import type { Price } from '#src/ports/payments.ts'

export const createCheckoutSession = operation({
  name: 'payments.create_checkout_session',
  summary: 'Open a page on which a person buys a price for this account.',
  description:
    'Give the url to a person who pays. A one_time price fills the wallet, a recurring one ' +
    'subscribes the account to the agent of the price. Amounts are those of payments.prices.',
  aliases: ['pay'],
  example: { price_id: 'top_up_20' },
  auth: 'key',
  oauthScope: 'spend',
  http: { method: 'POST', path: '/api/payments/create-checkout-session' },
  toolsets: ['payments'],
  reachesOut: true,
  input: z.strictObject({
    price_id: z.string().min(1).max(200).describe('An id of payments.prices.'),
  }),
  output: Checkout,
  refuses: ['price_not_found', 'price_mismatch', 'person_needed', 'provider_unavailable'],

  async run({ price_id }, context) {
    const { payments, caller, commit, clock } = context
    const price = await reached(context, () => payments.price(price_id))
    if (!price) {
      return refuse('price_not_found', 'There is no such price.', {
        hint: '<payments.prices> lists what can be bought.',
      })
    }
    checkCurrency(price, await reached(context, () => payments.currency()))
    const kind = price.kind === 'recurring' ? 'subscription' : 'top_up'
    const isSpent = kind === 'subscription'
    const byKey = isSpent ? await checkoutByKey(context, price.amount_cents, clock.now()) : {}
    const checkout = await openedCheckout(context, {
      kind,
      ...byKey,
      line: { price },
      account_id: caller.accountId,
      order_id: null,
    })
    return commit(publicCheckout(checkout), [{ in: 'checkouts', insert: checkout }])
  },
})

/** What enters a wallet, of the payer or of an agent's owner, is in the one currency. */
function checkCurrency({ kind, char_id, currency }: Price, ofWallets: string): void {
  const fillsWallet = kind === 'one_time' || char_id !== null
  if (!fillsWallet || currency === ofWallets) return
  refuse('price_mismatch', `The price is in ${currency}, and wallets are kept in ${ofWallets}.`, {
    hint: `Choose a price in ${ofWallets}.`,
  })
}
