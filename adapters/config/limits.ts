import type { Limit, LimitName, LimitTable } from '#src/core/admission/limits.ts'
import {
  freePlan,
  quotaNames,
  type QuotaName,
  type QuotaTable,
  type SomeQuotas,
} from '#src/core/counts/quota-table.ts'
import { distinct, listOf, pairOf, wholeNumber, wrong, type Read } from './values.ts'

const minute = 60
const hour = 3600
const day = 86_400
const countAtMost = 1_000_000_000
const secondsAtMost = 86_400
const gigabyte = 1024 ** 3

/** For trying the server out on one's own machine or network. */
export const defaultLimits: LimitTable = {
  agent_claim: { count: 60, seconds: hour },
  identities: { count: 60, seconds: hour },
  challenges: { count: 120, seconds: minute },
  anonymous_reads: { count: 600, seconds: minute },
  keyed_reads: { count: 3000, seconds: minute },
  writes: { count: 600, seconds: minute },
  threads_new: { count: 10, seconds: hour },
  threads: { count: 30, seconds: hour },
  replies_new: { count: 6, seconds: minute },
  replies: { count: 30, seconds: minute },
  votes: { count: 600, seconds: hour },
  message_requests: { count: 300, seconds: day },
  registrations: { count: 60, seconds: hour },
  invitations: { count: 60, seconds: hour },
  logins: { count: 120, seconds: hour },
  passwords: { count: 10, seconds: 15 * minute },
  known_emails: { count: 5, seconds: hour },
  mails: { count: 30, seconds: hour },
  notification_tests: { count: 10, seconds: hour },
  oauth: { count: 3000, seconds: minute },
  oauth_clients: { count: 120, seconds: hour },
  oauth_requests: { count: 600, seconds: minute },
  device_codes: { count: 60, seconds: 15 * minute },
}

/** For a server on the open internet. */
export const publicLimits: LimitTable = {
  agent_claim: { count: 5, seconds: hour },
  agent_claim_all: { count: 100, seconds: hour },
  identities: { count: 5, seconds: hour },
  challenges: { count: 30, seconds: minute },
  anonymous_reads: { count: 60, seconds: minute },
  keyed_reads: { count: 600, seconds: minute },
  writes: { count: 120, seconds: minute },
  threads_new: { count: 2, seconds: hour },
  threads: { count: 6, seconds: hour },
  replies_new: { count: 1, seconds: minute },
  replies: { count: 6, seconds: minute },
  votes: { count: 120, seconds: hour },
  message_requests: { count: 60, seconds: day },
  registrations: { count: 5, seconds: hour },
  invitations: { count: 15, seconds: hour },
  logins: { count: 60, seconds: hour },
  passwords: { count: 10, seconds: 15 * minute },
  known_emails: { count: 5, seconds: hour },
  mails: { count: 10, seconds: hour },
  notification_tests: { count: 10, seconds: hour },
  // Many persons use the same host, and all of its requests come from one network.
  oauth: { count: 600, seconds: minute },
  oauth_clients: { count: 30, seconds: hour },
  oauth_requests: { count: 60, seconds: minute },
  device_codes: { count: 30, seconds: 15 * minute },
}

export const defaultQuotas: QuotaTable = {
  unclaimed: {
    agents: 100,
    apps: 20,
    runs_a_day: 5000,
    stored_bytes: gigabyte,
    concurrent_runs: 4,
    queued_runs: 2000,
    held_runs: 200,
    paid_calls_hour: 60,
  },
  claimed: {
    agents: 10_000,
    apps: 1000,
    runs_a_day: 100_000,
    stored_bytes: 100 * gigabyte,
    concurrent_runs: 32,
    queued_runs: 100_000,
    held_runs: 10_000,
    paid_calls_hour: 10_000,
  },
}

// The public table has every limit there is.
const limitNames = Object.keys(publicLimits) as LimitName[]

const limit: Read<Limit | undefined> = (text) => {
  if (text === 'off') return undefined
  const [count, seconds, ...rest] = text.split('/')
  if (count === undefined || seconds === undefined || rest.length > 0) {
    return wrong('must be count/seconds or off', text)
  }
  return {
    count: wholeNumber(1, countAtMost)(count),
    seconds: wholeNumber(1, secondsAtMost)(seconds),
  }
}

const limitsRule =
  'must be default, public or off, or name=count/seconds and name=off pairs between commas'
const changedLimits = distinct(listOf(pairOf(limitNames, limit, limitsRule)), ([name]) => name)

/** `default`, `public` or `off`, or pairs that change the default table or the table named first. */
export const rateLimits: Read<LimitTable> = (text) => {
  if (text === 'off') return {}
  const [, base, pairs] = /^(default|public)(?:,(.*))?$/s.exec(text) ?? ['', 'default', text]
  if (pairs === '') return wrong(limitsRule, text)
  const table = { ...(base === 'public' ? publicLimits : defaultLimits) }
  for (const [name, value] of changedLimits(pairs ?? '')) {
    if (value) table[name] = value
    else delete table[name]
  }
  return table
}

const quota: Read<number> = (text) =>
  text === 'off' ? Infinity : wholeNumber(0, Number.MAX_SAFE_INTEGER)(text)

const quotasRule = 'must be default or off, or name=number and name=off pairs between commas'
/** One quota and its figure; Infinity for `off`. */
export const changedQuota = pairOf(quotaNames, quota, quotasRule)
/** Names of plans are short, so that they are read in lists. */
const planName = /^[a-z][a-z0-9-]{0,29}$/

/** A pair, and the plan that it is for where it begins with one: `team.agents=500`. */
const plannedQuota: Read<{ plan: string | undefined; name: QuotaName; value: number }> = (text) => {
  const [first = ''] = text.split('=')
  const at = first.indexOf('.')
  const [name, value] = changedQuota(at < 0 ? text : text.slice(at + 1))
  if (at < 0) return { plan: undefined, name, value }
  const plan = first.slice(0, at)
  if (planName.test(plan) && plan !== freePlan) return { plan, name, value }
  return wrong(`must name a plan in at most 30 of a-z, 0-9 and -, and not ${freePlan}`, text)
}
const changedQuotas = distinct(listOf(plannedQuota), ({ plan, name }) => `${plan ?? ''}.${name}`)

/**
 * `default` or `off`, or pairs that apply to unclaimed and claimed accounts alike; those that begin with the name of a
 * plan make that plan.
 */
export const quotas: Read<QuotaTable> = (text) => {
  // Every name is a pair here, so the resulting object has them all.
  const without = (): Record<QuotaName, number> =>
    Object.fromEntries(quotaNames.map((name) => [name, Infinity])) as Record<QuotaName, number>
  if (text === 'off') return { unclaimed: without(), claimed: without() }
  const pairs = text === 'default' ? [] : changedQuotas(text)
  const of = (wanted: string | undefined): SomeQuotas =>
    Object.fromEntries(
      pairs.filter(({ plan }) => plan === wanted).map(({ name, value }) => [name, value]),
    )
  const changed = of(undefined)
  const named = new Set(pairs.flatMap(({ plan }) => plan ?? []))
  const plans = Object.fromEntries([...named].map((plan) => [plan, of(plan)]))
  return {
    ...(named.size > 0 && { plans }),
    unclaimed: { ...defaultQuotas.unclaimed, ...changed },
    claimed: { ...defaultQuotas.claimed, ...changed },
  }
}

/**
 * The quotas under these rate limits: on the open internet strangers who have just got a key make no calls at the
 * operator's cost, unless the operator names another number.
 * @param texts of the settings, as they stand in the environment
 */
export function quotasUnder(
  table: QuotaTable,
  texts: { limits: string | undefined; quotas: string | undefined },
): QuotaTable {
  const isPublic = /^public(?:,|$)/.test(texts.limits ?? '')
  const isNamed = /(?:^|,)\s*paid_calls_hour=/.test(texts.quotas ?? '')
  if (!isPublic || isNamed || texts.quotas === 'off') return table
  return { ...table, unclaimed: { ...table.unclaimed, paid_calls_hour: 0 } }
}
