import type { Limit, Limiter, LimitState } from './limits.ts'

/** A network that a limit counts, and what all of its addresses may do together. */
export interface CountedNetwork {
  /** Its name: a /24 of IPv4, a /64, /56 or /48 of IPv6. */
  network: string
  limit: Limit
}

/**
 * A holder of one /64 of IPv6 usually has many: a household is given a /56, a site a /48. Others may
 * share those, so all of them together may do more than any one /64.
 */
const timesOfHousehold = 4
const timesOfSite = 16

const smallest = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):([0-9a-f]+)::\/64$/

/**
 * The networks that a caller's address is counted by, narrowest first: a call that a narrow one refuses
 * does not use up the limit of a wider one.
 * @param address cut to /24 or /64, as it enters with a call
 */
export function countedNetworks(address: string, limit: Limit): CountedNetwork[] {
  const own = { network: address, limit }
  const [, site, subnet] = smallest.exec(address) ?? []
  if (site === undefined || subnet === undefined) return [own]
  const household = (Number.parseInt(subnet, 16) & 0xff00).toString(16)
  const { count, seconds } = limit
  return [
    own,
    {
      network: `${site}:${household}::/56`,
      limit: { count: count * timesOfHousehold, seconds },
    },
    { network: `${site}::/48`, limit: { count: count * timesOfSite, seconds } },
  ]
}

/** The widest network that an address is counted by; it stands for one site. */
export function siteOf(address: string): string {
  return countedNetworks(address, { count: 0, seconds: 0 }).at(-1)?.network ?? address
}

/** One site may use one part in so many of a limit that all callers share. */
const sitesInAll = 10
/** The same for a /32 of IPv6, from which a provider assigns many sites. */
const providersInAll = 2

/**
 * The networks of an address that have a share in a limit common to all callers, narrowest first, each
 * with the part of it that it may take.
 */
export function sharingNetworks(
  address: string,
  limit: Limit,
): [site: CountedNetwork, provider?: CountedNetwork] {
  const [, site] = smallest.exec(address) ?? []
  const own = { network: siteOf(address), limit: partOf(limit, sitesInAll) }
  if (site === undefined) return [own]
  const provider = `${site.split(':', 2).join(':')}::/32`
  return [own, { network: provider, limit: partOf(limit, providersInAll) }]
}

/** One of so many parts of a limit, at least one request. */
export function partOf({ count, seconds }: Limit, parts: number): Limit {
  return { count: Math.ceil(count / parts), seconds }
}

/**
 * Counts something for the networks of an address, where the caller is not the core.
 * @param who the prefix of the subject within each network, for a limit that is not shared by all; ends in
 *   a separator
 * @returns the state of the first limit that is used up, else of the one with the least left
 */
export function takeForNetworks(
  limiter: Limiter,
  name: string,
  limit: Limit,
  { address, who = '' }: { address: string; who?: string },
): LimitState | Promise<LimitState> {
  const [own, ...wider] = countedNetworks(address, limit)
  const first = limiter.take(name, limit, `${who}${own?.network ?? address}`)
  if (wider.length === 0) return first
  return takeWider(limiter, name, wider, { first, who })
}

async function takeWider(
  limiter: Limiter,
  name: string,
  wider: readonly CountedNetwork[],
  { first, who }: { first: LimitState | Promise<LimitState>; who: string },
): Promise<LimitState> {
  let nearest = await first
  for (const { network, limit } of wider) {
    if (!nearest.admitted) return nearest
    const state = await limiter.take(name, limit, `${who}${network}`)
    if (!state.admitted || state.remaining < nearest.remaining) nearest = state
  }
  return nearest
}
