import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { PaymentsFailed } from '#src/ports/payments.ts'
import { Balance, balanceOf } from '#src/money/wallet/wallet.ts'

export const balance = operation({
  name: 'wallet.balance',
  summary: 'Read what the wallet of the account holds.',
  description: 'Orders are paid from available_cents.',
  example: {},
  auth: 'key',
  http: { method: 'GET', path: '/api/wallet/balance' },
  toolsets: ['payments'],
  input: z.strictObject({}),
  output: Balance,
  refuses: [],

  async run(_, { store, caller, payments }) {
    const wallet = await store.wallets.get(caller.accountId)
    return balanceOf(wallet, wallet?.currency ?? (await payments.currency().catch(unreachable)))
  },
})

function unreachable(cause: unknown): never {
  if (!(cause instanceof PaymentsFailed)) throw cause
  return refuse('unavailable', 'The payment provider could not be asked for its currency.', {
    hint: 'Retry later.',
    retryAfterSeconds: 30,
    cause,
  })
}
