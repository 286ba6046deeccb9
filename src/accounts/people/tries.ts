import { overLimit } from '#src/core/admission/limits-of.ts'
import { countedNetworks, takeForNetworks } from '#src/core/admission/networks.ts'
import type { Context } from '#src/core/context.ts'
import { digest } from '#src/core/ids.ts'

type Trying = Pick<Context, 'settings' | 'limiter' | 'clock' | 'address'>

/**
 * Counts a try at the password of an e-mail address, before anything is hashed. It counts per network, so
 * that no one is locked out by the tries of others.
 * @param emailKey the same for all spellings of the address
 * @throws Refusal `rate_limited`
 */
export async function countSignIn(
  { settings, limiter, address }: Omit<Trying, 'clock'>,
  emailKey: string,
): Promise<void> {
  const limit = settings.limits.passwords
  if (!limit) return
  const from = { address, who: `${digest(emailKey)} ` }
  const state = await takeForNetworks(limiter, 'passwords', limit, from)
  if (!state.admitted) throw overLimit(state)
}

/**
 * Checks that this network may be told again that an address is registered. Called before any address is
 * looked up, so that the refusal tells nothing to a caller that goes through a list.
 * @throws Refusal `rate_limited`
 */
export async function mayMeetKnown(trying: Trying): Promise<void> {
  const { settings, limiter, clock, address } = trying
  const named = settings.limits.known_emails
  if (!named) return
  for (const { network, limit } of countedNetworks(address, named)) {
    const used = await limiter.used('known_emails', limit, network)
    if (used < limit.count) continue
    const windowMs = limit.seconds * 1000
    const resetSeconds = Math.ceil((windowMs - (clock.now().getTime() % windowMs)) / 1000)
    throw overLimit({
      name: 'known_emails',
      ...limit,
      resetSeconds,
      remaining: 0,
      admitted: false,
    })
  }
}

/** Counts that an address was found registered. @throws Refusal `rate_limited` in place of that answer */
export async function countKnown({ settings, limiter, address }: Trying): Promise<void> {
  const limit = settings.limits.known_emails
  if (!limit) return
  const state = await takeForNetworks(limiter, 'known_emails', limit, { address })
  if (!state.admitted) throw overLimit(state)
}
