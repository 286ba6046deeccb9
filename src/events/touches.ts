import { documentName, loopName, touch } from '#src/core/told/touch.ts'
import { listeningName } from './log/account-log.ts'

/** What is to be passed on, or sent. */
export const eventTouches = [
  touch({
    in: 'account_logs',
    names: ({ id }, how) => {
      const isBegun = typeof how === 'string' || how.has('until')
      return [documentName('account_logs', id), ...(isBegun ? [listeningName(id)] : [])]
    },
  }),
  touch({
    in: 'events',
    names: (_, how) => (how === 'inserted' ? [loopName('events')] : []),
  }),
  touch({
    in: 'deliveries',
    members: ['status'],
    names: ({ status }, how) =>
      how === 'inserted' || (typeof how !== 'string' && how.has('status') && status === 'pending')
        ? [loopName('deliveries')]
        : [],
  }),
]
