import type { Operation } from '#src/core/operation.ts'
import { list as budgetsList } from '#src/operations/budgets/list.ts'
import { put as budgetsPut } from '#src/operations/budgets/put.ts'
import { remove as budgetsDelete } from '#src/operations/budgets/delete.ts'
import { create as ordersCreate } from '#src/operations/orders/create.ts'
import { get as ordersGet } from '#src/operations/orders/get.ts'
import { rate as ordersRate } from '#src/operations/orders/rate.ts'
import { createCheckoutSession } from '#src/operations/payments/create-checkout-session.ts'
import { createPortalSession } from '#src/operations/payments/create-portal-session.ts'
import { prices } from '#src/operations/payments/prices.ts'
import { webhook } from '#src/operations/payments/webhook.ts'
import { summary as usageSummary } from '#src/operations/usage/summary.ts'
import { balance as walletBalance } from '#src/operations/wallet/balance.ts'
import { transactions as walletTransactions } from '#src/operations/wallet/transactions.ts'

/** Payments, the wallet, tasks that are sold, and what models cost. */
export const payments: readonly Operation[] = [
  prices,
  createCheckoutSession,
  createPortalSession,
  webhook,
  walletBalance,
  walletTransactions,
  ordersCreate,
  ordersGet,
  ordersRate,
  usageSummary,
  budgetsList,
  budgetsPut,
  budgetsDelete,
]
