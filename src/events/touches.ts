import { loopName, touch } from '#src/core/told/touch.ts'

/** What is to be passed on, or sent. */
export const eventTouches = [
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
