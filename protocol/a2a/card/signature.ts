import { serviceKey, type ServiceKey } from '#src/core/service-key.ts'
import type { Sealer } from '#src/core/seal.ts'

/** The key that cards are signed with. */
export type CardKey = ServiceKey

/** The key of the service: whoever checks a card finds it in the published set. */
export function cardKey(sealer: Pick<Sealer, 'derive'>): CardKey {
  return serviceKey(sealer)
}

export { keySetPath } from '#src/core/service-key.ts'
