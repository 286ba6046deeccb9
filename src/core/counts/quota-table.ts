import type { Documents } from '#src/ports/documents.ts'

/** The quotas in the order in which they are shown. */
export const quotaNames = [
  'agents',
  'apps',
  'runs_a_day',
  'stored_bytes',
  'concurrent_runs',
  'queued_runs',
  'held_runs',
  'paid_calls_hour',
] as const
/** The name of a quota. */
export type QuotaName = (typeof quotaNames)[number]

/** The plan of an account to which the operator gave no other. */
export const freePlan = 'free'

/** Some of the quotas. */
export type SomeQuotas = Readonly<Partial<Record<QuotaName, number>>>

/** What an account may hold, before and after a person has claimed it, and what plans say in place of that. */
export interface QuotaTable {
  unclaimed: Readonly<Record<QuotaName, number>>
  claimed: Readonly<Record<QuotaName, number>>
  /** By the name of the plan. */
  plans?: Readonly<Record<string, SomeQuotas>>
}

/** What the operator gave one account in place of its plan's; null is no limit, for a store keeps no Infinity. */
export type OwnQuotas = Readonly<Partial<Record<QuotaName, number | null>>>

/** Of an owner, what decides how wide the quotas are. */
export interface Standing {
  /** A person has claimed the account. */
  claimed: boolean
  /** The plan that the operator gave the account; absent for the one that all have. */
  plan?: string
  /** The quotas that the operator gave the account in place of its plan's. */
  ownQuotas?: OwnQuotas
}

/** Whose quota it is: a caller's, or that of the owner for whom work is done. */
export interface Owner extends Standing {
  accountId: string
}

/** An account, as quotas know it; one that is gone counts as unclaimed. */
export function ownerOf(accountId: string, account: Documents['accounts'] | undefined): Owner {
  return { accountId, ...standingOf(account), claimed: account?.holder_id != null }
}

/** What of an account decides besides whether it is claimed; nothing for most. */
export function standingOf(
  account: Pick<Documents['accounts'], 'plan' | 'quotas'> | undefined,
): Pick<Owner, 'plan' | 'ownQuotas'> {
  if (!account) return {}
  const { plan, quotas: own } = account
  return { ...(plan !== freePlan && { plan }), ...(own && { ownQuotas: own }) }
}

/** The quota of an owner by these figures: its own, else its plan's, else that of all. Infinity is no limit. */
export function limitIn(
  { plans, ...table }: QuotaTable,
  name: QuotaName,
  { claimed, plan, ownQuotas }: Standing,
): number {
  const own = ownQuotas?.[name]
  if (own !== undefined) return own ?? Infinity
  const planned =
    plan !== undefined && plans && Object.hasOwn(plans, plan) ? plans[plan] : undefined
  return planned?.[name] ?? table[claimed ? 'claimed' : 'unclaimed'][name]
}
