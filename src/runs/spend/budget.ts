import * as z from 'zod'
import { centsOfNanos, nanosOfCents } from '#src/core/spend/prices.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'
import { periodsAt, sumId, type Spender, type SumKind } from './sum.ts'

/** How many an account may have. */
export const budgetsAtMost = 100
/** The largest limit: a million dollars. */
export const limitCentsAtMost = 100_000_000

export const budgetPeriods = ['day', 'month'] as const
const states = ['open', 'warned', 'used_up'] as const

export const Budget = z
  .object({
    id: z.string(),
    char_id: z.string().nullable().describe('The agent that it is for; null: not one alone.'),
    app_id: z
      .string()
      .nullable()
      .describe('The app that it is for; both null: all of the account.'),
    period: z.enum(budgetPeriods),
    limit_cents: z.int().describe('US cents in each period.'),
    warn_at_percent: z.int().nullable(),
    state: z.enum(states),
    spent_cents: z.number().describe('In the period that goes on.'),
    unpriced_calls: z.int().describe('Calls of unknown cost in it, which no budget can hold.'),
    resets_at: z.string().describe('When the next period begins.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Budget' })
/** What models may cost in a day or a month, and how it stands. */
export type Budget = z.infer<typeof Budget>

/** A budget at rest. */
export interface StoredBudget extends Omit<
  Budget,
  'state' | 'spent_cents' | 'unpriced_calls' | 'resets_at'
> {
  /** Its own id within the account; `id` is made of both. */
  budget_id: string
  owner_id: string
  /** The period in which its owner was told that it is nearly used up, and that it is. */
  warned: string | null
  stopped: string | null
}

/** The id of a stored budget. */
export function budgetKey(ownerId: string, budgetId: string): string {
  return `${ownerId}/${budgetId}`
}

/** A budget with what was spent of it. */
export interface Standing {
  budget: StoredBudget
  state: Budget['state']
  /** The period that goes on, and when it ends. */
  period: string
  ends_at: string
  spent_nanos: number
  unpriced_calls: number
}

/** How budgets stand. */
export async function standingsOf(
  { spend_sums }: Pick<Store, 'spend_sums'>,
  budgets: readonly StoredBudget[],
  now: Date,
): Promise<Standing[]> {
  if (budgets.length === 0) return []
  const at = periodsAt(now)
  const ids = budgets.map((one) => sumOf(one, at[one.period]))
  const rows = await spend_sums.pick(['id', 'cost_nanos', 'unpriced_calls'], { id: { $in: ids } })
  const sums = new Map(rows.map(([id, ...row]) => [String(id), row.map(Number)]))
  return budgets.map((budget, i) => {
    const [spent_nanos = 0, unpriced_calls = 0] = sums.get(ids[i] ?? '') ?? []
    const period = at[budget.period]
    const ends_at = endOf(budget.period, now)
    return {
      budget,
      state: stateOf(budget, spent_nanos),
      period,
      ends_at,
      spent_nanos,
      unpriced_calls,
    }
  })
}

function sumOf({ owner_id, char_id, app_id }: StoredBudget, period: string): string {
  const [kind, key]: [SumKind, string] =
    char_id !== null ? ['agent', char_id] : app_id !== null ? ['app', app_id] : ['account', '']
  return sumId({ owner_id, kind, key, period })
}

function stateOf({ limit_cents, warn_at_percent }: StoredBudget, nanos: number): Budget['state'] {
  const limit = nanosOfCents(limit_cents)
  if (nanos >= limit) return 'used_up'
  // A share of whole cents is a whole number of nanos.
  const isNear = warn_at_percent !== null && nanos >= (limit / 100) * warn_at_percent
  return isNear ? 'warned' : 'open'
}

function endOf(period: StoredBudget['period'], now: Date): string {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const isDay = period === 'day'
  return timestamp(
    new Date(Date.UTC(year, isDay ? month : month + 1, isDay ? now.getUTCDate() + 1 : 1)),
  )
}

/** The budgets that calls of an agent count in. */
export async function budgetsFor(
  { budgets }: Pick<Store, 'budgets'>,
  { owner_id, char_id, app_id }: Spender,
): Promise<StoredBudget[]> {
  const all = await budgets.find({ owner_id }, { limit: budgetsAtMost })
  return all.filter(
    (one) =>
      (one.char_id === null || one.char_id === char_id) &&
      (one.app_id === null || one.app_id === app_id),
  )
}

/** The budget as the wire shows it. */
export function shownBudget({ budget, state, ends_at, ...spent }: Standing): Budget {
  const { budget_id: id, char_id, app_id, period, limit_cents, warn_at_percent } = budget
  const { created_at, updated_at } = budget
  const own = { id, char_id, app_id, period, limit_cents, warn_at_percent }
  const stands = {
    state,
    spent_cents: centsOfNanos(spent.spent_nanos),
    unpriced_calls: spent.unpriced_calls,
    resets_at: ends_at,
  }
  return { ...own, ...stands, created_at, updated_at }
}
