import { noticeTo } from '#src/accounts/notice.ts'
import type { Ports } from '#src/core/context.ts'
import { centsOfNanos } from '#src/core/spend/prices.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { budgetsFor, standingsOf, type Standing } from './budget.ts'
import type { Spender } from './sum.ts'

type Needed = Pick<Ports, 'store' | 'clock'>

/** The reason of a run that waits until there is money for its model, and the error of one that could not go on. */
export const budgetReason = 'budget_exceeded'

/**
 * The budget that holds calls of models of an agent, if one is used up: of several the one that does so for longest.
 * Its owner is told of each budget that is used up, or nearly, once in its period.
 */
export async function budgetUsedUp(ports: Needed, spender: Spender): Promise<Standing | undefined> {
  const now = ports.clock.now()
  const standings = await standingsOf(ports.store, await budgetsFor(ports.store, spender), now)
  for (const standing of standings) await told(ports, standing, spender, now)
  return standings
    .filter(({ state }) => state === 'used_up')
    .sort((a, b) => (a.ends_at < b.ends_at ? 1 : -1))[0]
}

/** What is said of a budget that is used up. */
export function usedUpWords({ budget, ends_at }: Standing): string {
  const { budget_id, limit_cents, period } = budget
  return `The budget "${budget_id}" of ${amount(limit_cents)} a ${period} is used up until ${ends_at}.`
}

function amount(cents: number): string {
  return `${(cents / 100).toFixed(2)} USD`
}

async function told(
  { store }: Needed,
  standing: Standing,
  { char_id }: Spender,
  now: Date,
): Promise<void> {
  const { budget, state, period } = standing
  if (state === 'open') return
  const mark = state === 'used_up' ? 'stopped' : 'warned'
  if (budget[mark] === period) return
  // One that is used up was nearly so: no second notice of it comes.
  const marks = state === 'used_up' ? { stopped: period, warned: period } : { warned: period }
  const { id, updated_at } = budget
  const marked: Write = {
    in: 'budgets',
    update: { id, updated_at, [mark]: budget[mark] },
    change: { $set: marks },
  }
  try {
    await store.commit([marked, notice(standing, char_id, now)])
  } catch (cause) {
    // Another process told of it, or the budget was changed.
    if (!(cause instanceof Unmet)) throw cause
  }
}

function notice(standing: Standing, spender: string, now: Date): Write {
  const { budget, state, spent_nanos } = standing
  const { owner_id, budget_id, limit_cents, period, char_id } = budget
  const about = char_id === null ? {} : { char_id }
  const next = [{ operation: 'budgets.list', input: {} }]
  const spent = amount(centsOfNanos(spent_nanos))
  const message =
    state === 'used_up'
      ? `${usedUpWords(standing)} ${spent} were spent, last by ${spender}: what its agents would ask models waits. A higher limit lets it go on at once.`
      : `${spent} of the budget "${budget_id}" of ${amount(limit_cents)} a ${period} are spent. At the limit, what its agents would ask models waits.`
  const type = state === 'used_up' ? 'budget.used_up' : 'budget.warned'
  return noticeTo(owner_id, type, message, about, now, { reason: budget_id, next })
}
