import { loopName, touch, type Manner } from '#src/core/told/touch.ts'

const isNew = (how: Manner): readonly string[] => (how === 'inserted' ? [loopName('payments')] : [])

/** What is to be paid, settled or paid back. */
export const moneyTouches = [
  touch({ in: 'orders', names: () => [loopName('payments')] }),
  touch({ in: 'refunds', names: (_, how) => isNew(how) }),
  touch({ in: 'x402_payments', names: (_, how) => isNew(how) }),
]
