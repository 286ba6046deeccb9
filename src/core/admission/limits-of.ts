import type { Caller } from './caller.ts'
import { Refusal } from '../errors.ts'
import type { Limit, LimitName, LimitState, LimitTable } from './limits.ts'
import { isRead } from '../operation-facts.ts'
import type { OperationFacts } from '../operation-facts.ts'
import { countedNetworks, partOf, sharingNetworks } from './networks.ts'

/** One limit that a call counts against, and for whom. */
export interface CountedLimit {
  name: LimitName
  limit: Limit
  subject: string
  /**
   * Of what everybody has together: `own` is what the caller's site has had of it, and `more` counts
   * only where that was some already.
   */
  share?: 'own' | 'more'
}

/** Writers in the Commons that one network may hold, before it is taken for one writer. */
const writersANetwork = 5

/** What makes credentials, counted by network: else each that was made would count anew. */
const ofNetworks: ReadonlySet<LimitName> = new Set([
  'agent_claim',
  'challenges',
  'identities',
  'registrations',
  'logins',
])

/** What counts a call: the limits of its operation, else reads or writes. */
export function limitsOf(
  { operation: op, address }: { operation: OperationFacts; address: string },
  caller: Caller,
  table: LimitTable,
): CountedLimit[] {
  return (op.limits ?? [defaultLimit(op, caller)]).flatMap((declared): CountedLimit[] => {
    const name = forLevel(declared, caller)
    const limit = table[name]
    if (!limit) return []
    if (name.endsWith('_all')) return forEverybody(name, limit, address)
    if (ofNetworks.has(name) || caller.subject === undefined) {
      return forNetworks(name, limit, address, '')
    }
    const own = { name, limit, subject: caller.subject }
    if (caller.kind !== 'member') return [own]
    // Handles are cheap, networks less so.
    const shared = { count: limit.count * writersANetwork, seconds: limit.seconds }
    return [own, ...forNetworks(name, shared, address, 'network:')]
  })
}

/**
 * What everybody has together is used up by nobody alone: a site has a share of it, so have all sites
 * of a provider, and half of it is kept for sites that have had none of it yet.
 */
function forEverybody(name: LimitName, limit: Limit, address: string): CountedLimit[] {
  const [own, provider] = sharingNetworks(address, limit)
  return [
    { name, limit: own.limit, subject: own.network, share: 'own' },
    ...(provider ? [{ name, limit: provider.limit, subject: provider.network }] : []),
    { name, limit: partOf(limit, 2), subject: 'more', share: 'more' },
    { name, limit, subject: 'all' },
  ]
}

function forNetworks(
  name: LimitName,
  limit: Limit,
  address: string,
  before: string,
): CountedLimit[] {
  return countedNetworks(address, limit).map((one) => ({
    name,
    limit: one.limit,
    subject: `${before}${one.network}`,
  }))
}

/** The refusal of what is over a limit. */
export function overLimit({ name, count, seconds, resetSeconds }: LimitState): Refusal {
  return new Refusal('rate_limited', `More than ${count} requests in ${seconds} s (${name}).`, {
    retryAfterSeconds: resetSeconds,
    hint: `Wait ${resetSeconds} s, then go on.`,
  })
}

function defaultLimit(op: OperationFacts, caller: Caller): LimitName {
  if (!isRead(op)) return 'writes'
  return caller.kind === 'anonymous' ? 'anonymous_reads' : 'keyed_reads'
}

/** Whoever is new to the Commons posts less. */
function forLevel(name: LimitName, caller: Caller): LimitName {
  const isNew = caller.kind === 'member' && caller.level === 0
  return isNew && (name === 'threads' || name === 'replies') ? `${name}_new` : name
}
