import type { CollectionDefinition, Documents } from '#src/collections.ts'

type OfPayments =
  | 'subscriptions'
  | 'checkouts'
  | 'refunds'
  | 'wallets'
  | 'wallet_transactions'
  | 'ledger'
  | 'orders'
  | 'x402_payments'
  | 'test_payments'

/** The collections of payments, the wallet and orders. */
export const ofPayments: { readonly [N in OfPayments & keyof Documents]: CollectionDefinition } = {
  subscriptions: {
    hidden: [],
    indexes: [
      { on: { account_id: 1, char_id: 1 } },
      { on: { seller_id: 1, char_id: 1 }, sparse: 'seller_id' },
      { on: { due_at: 1 }, sparse: 'due_at' },
    ],
  },
  checkouts: {
    hidden: [],
    indexes: [
      { on: { session: 1 }, unique: true },
      { on: { due_at: 1 }, sparse: 'due_at' },
    ],
  },
  refunds: {
    hidden: [],
    indexes: [
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { refund: 1 }, sparse: 'refund' },
    ],
  },
  wallets: { hidden: [], indexes: [] },
  wallet_transactions: {
    hidden: ['wallet', 'entry', 'nth', 'char_kind'],
    indexes: [
      { on: { wallet: 1, nth: -1 } },
      { on: { wallet: 1, kind: 1, nth: -1 } },
      { on: { wallet: 1, char_id: 1, nth: -1 }, sparse: 'char_id' },
      { on: { wallet: 1, char_kind: 1, nth: -1 }, sparse: 'char_kind' },
    ],
  },
  ledger: { hidden: [], indexes: [] },
  orders: {
    hidden: [
      'token_hash',
      'owner_id',
      'buyer_id',
      'wallet',
      'form',
      'checkout_id',
      'payment',
      'due_at',
      'payer',
      'rated_by',
      'bytes',
      'sender',
    ],
    indexes: [
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { rated_by: 1 }, unique: true, sparse: 'rated_by' },
    ],
  },
  x402_payments: { hidden: [], indexes: [{ on: { due_at: 1 }, sparse: 'due_at' }] },
  test_payments: { hidden: [], indexes: [{ on: { customer: 1, id: 1 }, sparse: 'customer' }] },
}
