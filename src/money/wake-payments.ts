import type { Effect } from '#src/core/effects.ts'

/** What a commit leaves to do for payments is continued at once. */
export const wakePayments: Effect = ({ wake }, writes) => {
  const isOpen = writes.some(
    (write) =>
      write.in === 'orders' ||
      ((write.in === 'refunds' || write.in === 'x402_payments') && 'insert' in write),
  )
  if (isOpen) wake.payments()
}
