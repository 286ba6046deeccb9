import type { OwnQuotas, QuotaName } from '#src/core/counts/quota-table.ts'
import { operator } from '#src/core/credentials/actor.ts'
import { timestamp } from '#src/core/time.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Change, Store } from '#src/ports/store.ts'
import type { Account } from '../account.ts'
import { recorded } from '../audit/commit.ts'

interface Needed {
  store: Store
  clock: Clock
}

/** What the operator changes of an account, each with a record in its chain that names the operator. */
type Act = 'suspend' | 'resume' | 'plan' | 'quota'

/** Suspends it: its credentials are refused, and its runs wait. One that is so already keeps the time since when. */
export async function suspend(ports: Needed, { id, suspended_at }: Account): Promise<void> {
  if (suspended_at !== undefined) return
  const since = timestamp(ports.clock.now())
  await changed(ports, id, 'suspend', { $set: { suspended_at: since } }, ['suspended_at'])
}

export async function resume(ports: Needed, { id, suspended_at }: Account): Promise<void> {
  if (suspended_at === undefined) return
  await changed(ports, id, 'resume', { $unset: { suspended_at: true } }, ['suspended_at'])
}

/** Gives it a plan. The quotas that it has of its own stay. */
export async function givePlan(
  ports: Needed,
  { id, plan: before }: Account,
  plan: string,
): Promise<void> {
  if (plan === before) return
  await changed(ports, id, 'plan', { $set: { plan } }, ['plan'], { plan })
}

/** For each quota the figure that it gets of its own, null for no limit, or `plan` for that of its plan. */
export type QuotaChange = Readonly<Partial<Record<QuotaName, number | null | 'plan'>>>

/** Gives it quotas of its own; those that are not named stay. */
export async function giveQuotas(
  ports: Needed,
  { id, quotas: before = {} }: Account,
  change: QuotaChange,
): Promise<void> {
  const all: QuotaChange = { ...before, ...change }
  const after: OwnQuotas = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === 'plan' ? [] : [[name, value]])),
  )
  const isAny = Object.keys(after).length > 0
  const names = Object.keys(change)
  const set: Change<Account> = isAny ? { $set: { quotas: after } } : { $unset: { quotas: true } }
  await changed(ports, id, 'quota', set, names)
}

async function changed(
  ports: Needed,
  id: string,
  act: Act,
  change: Change<Account>,
  names: readonly string[],
  about: Record<string, string> = {},
): Promise<void> {
  const who = { accountId: id, actor: operator, network: null }
  const note = { operation: `operator.${act}`, about, changed: names }
  await recorded(ports, who, note, (chained) =>
    ports.store.commit([{ in: 'accounts', update: { id }, change }, ...chained]),
  )
}
