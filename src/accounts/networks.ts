import type { Ports } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { keyElsewhere } from './key-notices.ts'

/** How many networks are remembered of a key: the ones that it was first used from last. */
const networksAtMost = 32

declare module '#src/core/context.ts' {
  interface Ports {
    /** Remembers a network that a key was used from, and tells the owner of one that is new to it. */
    networkUsed: (
      ports: Pick<Ports, 'store' | 'clock'>,
      keyId: string,
      network: string,
    ) => Promise<void>
  }
}

/**
 * Remembers that a key was used from a network. Of a key that was used before, its owner is told, once however
 * many processes see it at the same time.
 */
export function networkUsed(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  keyId: string,
  network: string,
): Promise<void> {
  return retryUnmet(async () => {
    const key = await store.api_keys.get(keyId)
    if (!key || key.networks?.includes(network)) return
    const { id, networks = [], networks_count: count } = key
    const isAsRead = { networks_count: count ?? { $exists: false } }
    const $set = {
      networks: [...networks, network].slice(-networksAtMost),
      networks_count: (count ?? 0) + 1,
    }
    const told = networks.length > 0 ? [keyElsewhere(key, network, clock.now())] : []
    await store.commit([{ in: 'api_keys', update: { id, ...isAsRead }, change: { $set } }, ...told])
  })
}
