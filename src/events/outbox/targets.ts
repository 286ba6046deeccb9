import type { StoredDelivery } from './delivery.ts'
import type { Ports } from '#src/core/context.ts'
import { digest } from '#src/core/ids.ts'

/** How many different hosts an account may call within an hour. */
export const targetsAnHour = 60

const hour = 3600
const ofOwner = { count: targetsAnHour, seconds: hour }
const ofTarget = { count: 1, seconds: hour }

/** The host that an address calls: its scheme, name and port. The address of a mail stands for itself. */
export function targetOf(url: string): string {
  const origin = URL.parse(url)?.origin
  return origin === undefined || origin === 'null' ? url : origin
}

/**
 * Whether the account may call this host now. A host that it has called within the hour costs nothing
 * more, so that only calls to many different hosts are limited.
 * @returns the seconds to wait; 0 if it may
 */
export async function waitForTarget(
  { limiter }: Pick<Ports, 'limiter'>,
  { owner_id, payer = owner_id, url }: Pick<StoredDelivery, 'owner_id' | 'payer' | 'url'>,
): Promise<number> {
  const subject = `${payer}/${digest(targetOf(url)).slice(0, 32)}`
  if ((await limiter.used('delivery_target', ofTarget, subject)) > 0) return 0
  const state = await limiter.take('delivery_targets', ofOwner, payer)
  if (!state.admitted) return state.resetSeconds
  await limiter.take('delivery_target', ofTarget, subject)
  return 0
}
