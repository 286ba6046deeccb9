import { list } from '#src/operations/budgets/list.ts'
import { put } from '#src/operations/budgets/put.ts'
import { remove } from '#src/operations/budgets/delete.ts'
import { createCheckoutSession as checkout } from '#src/operations/payments/create-checkout-session.ts'
import { prices } from '#src/operations/payments/prices.ts'
import { summary } from '#src/operations/usage/summary.ts'
import { balance } from '#src/operations/wallet/balance.ts'
import { transactions } from '#src/operations/wallet/transactions.ts'

/** The operations behind the page of money, with their types. */
export const spendOperations = {
  summary,
  budgets: { list, put, remove },
  wallet: { balance, transactions },
  payments: { prices, checkout },
}
