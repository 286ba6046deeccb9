import { Places } from '#src/core/turns/places.ts'

/** Each holds what it plays in memory, and all share what the event loop has to spare. */
const places = new Places({ each: 4, all: 16, of: 'simulations' })

/** Plays in a place of the account. @throws Refusal `rate_limited`, `unavailable` where there is none */
export function inPlace<T>(accountId: string, play: () => Promise<T>): Promise<T> {
  return places.hold(accountId, play)
}
