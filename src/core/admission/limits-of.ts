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
   * For limits that all callers share: `own` is what the caller's site has used of it, and `more`
   * counts only if the site had used some before.
   */
  share?: 'own' | 'more'
}

/** Writers in the Commons that one network may have before it counts as one writer. */
const writersANetwork = 5

/** Limits of what makes credentials, counted by network: a new credential would start at 0. */
const ofNetworks: ReadonlySet<LimitName> = new Set([
  'agent_claim',
  'challenges',
  'identities',
  'registrations',
  'invitations',
  'logins',
  'mails',
])

/** The limits of a call: those of its operation, else reads or writes. */
export function limitsOf(
  { operation: op, address }: { operation: OperationFacts; address: string },
  caller: Caller,
  table: LimitTable,
): CountedLimit[] {
  // Limits of the Commons are those of a member, who is not known yet.
  const isUnnamed = op.auth === 'commons' && caller.kind === 'key'
  const names = (isUnnamed ? undefined : op.limits) ?? [defaultLimit(op, caller)]
  return names.flatMap((declared): CountedLimit[] => {
    const name = forLevel(declared, caller)
    const limit = table[name]
    if (!limit) return []
    if (name.endsWith('_all')) return forAllCallers(name, limit, address)
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
 * No caller uses up alone a limit that all share: one site may use a part of it, so may all sites of one
 * provider together, and half of it is kept for sites that have used none yet.
 */
function forAllCallers(name: LimitName, limit: Limit, address: string): CountedLimit[] {
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

/** The refusal for a limit that is exceeded. */
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

/** The limit of a caller's level: newcomers to the Commons post less. */
function forLevel(name: LimitName, caller: Caller): LimitName {
  const isNew = caller.kind === 'member' && caller.level === 0
  return isNew && (name === 'threads' || name === 'replies') ? `${name}_new` : name
}
