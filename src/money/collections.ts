import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredOrder } from './orders/order.ts'
import type { StoredX402Payment } from './orders/x402/payment.ts'
import type { StoredCheckout } from './payments/checkout.ts'
import type { StoredRefund } from './payments/refund.ts'
import type { TestRecord } from './payments/test-record.ts'
import type { LedgerEntry } from './wallet/ledger.ts'
import type { StoredTransaction } from './wallet/transaction.ts'
import type { StoredWallet } from './wallet/wallet.ts'

/** The document types of payments, wallets and orders, by collection. */
interface MoneyDocuments {
  checkouts: StoredCheckout
  refunds: StoredRefund
  wallets: StoredWallet
  wallet_transactions: StoredTransaction
  ledger: LedgerEntry
  orders: StoredOrder
  x402_payments: StoredX402Payment
  test_payments: TestRecord
}

declare module '#src/ports/documents.ts' {
  interface Documents extends MoneyDocuments {}
}

/** The collections of payments, wallets and orders. */
export const moneyCollections: CollectionsOf<MoneyDocuments> = {
  checkouts: {
    shardKey: null,
    hidden: [],
    indexes: [
      { on: { session: 1 }, unique: true },
      { on: { due_at: 1 }, sparse: 'due_at' },
    ],
  },
  refunds: {
    shardKey: null,
    hidden: [],
    indexes: [
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { refund: 1 }, sparse: 'refund' },
    ],
  },
  wallets: { shardKey: 'id', hidden: [], indexes: [] },
  wallet_transactions: {
    shardKey: 'wallet',
    hidden: ['wallet', 'entry', 'nth', 'char_kind'],
    indexes: [
      { on: { wallet: 1, nth: -1 } },
      { on: { wallet: 1, kind: 1, nth: -1 } },
      { on: { wallet: 1, char_id: 1, nth: -1 }, sparse: 'char_id' },
      { on: { wallet: 1, char_kind: 1, nth: -1 }, sparse: 'char_kind' },
    ],
  },
  ledger: { shardKey: 'id', hidden: [], indexes: [] },
  orders: {
    shardKey: 'owner_id',
    hidden: [
      'token_hash',
      'owner_id',
      'buyer_id',
      'buyer_char_id',
      'wallet',
      'form',
      'checkout_id',
      'payment',
      'due_at',
      'payer',
      'rated_by',
      'bytes',
      'sender',
      'output_ref',
    ],
    large: ['output'],
    rewritten: ['output'],
    indexes: [
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { rated_by: 1 }, unique: true, sparse: 'rated_by' },
      { on: { owner_id: 1, id: 1 } },
      { on: { buyer_id: 1, id: 1 }, sparse: 'buyer_id' },
      { on: { output_ref: 1 }, sparse: 'output_ref' },
    ],
  },
  x402_payments: { shardKey: null, hidden: [], indexes: [{ on: { due_at: 1 }, sparse: 'due_at' }] },
  test_payments: {
    shardKey: null,
    hidden: [],
    indexes: [{ on: { customer: 1, id: 1 }, sparse: 'customer' }],
  },
}
