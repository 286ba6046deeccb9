import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { CharacterId } from '#src/agents/name.ts'
import { ownApp } from '#src/apps/access.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import {
  Budget,
  budgetKey,
  budgetPeriods,
  budgetsAtMost,
  limitCentsAtMost,
  shownBudget,
  standingsOf,
  type StoredBudget,
} from '#src/runs/spend/budget.ts'
import { lookAgain } from '#src/runs/waits/budget.ts'

export const put = operation({
  name: 'budgets.put',
  summary: 'Set a budget for models in a day or month: of the account, one agent or one app.',
  description:
    'At warn_at_percent of the limit the owner gets a notice; at the limit no model is asked: runs ' +
    'that would begin wait with the reason budget_exceeded, until the next period (UTC) or a higher ' +
    `limit, and runs under way fail with it. At most ${budgetsAtMost} an account.`,
  example: { budget_id: 'ada', char_id: 'ada', period: 'month', limit_cents: 500 },
  auth: 'key',
  http: { method: 'PUT', path: '/api/budgets/{budget_id}' },
  toolsets: ['payments'],
  repeatable: true,
  input: z.strictObject({
    budget_id: CharacterId,
    char_id: z.string().max(128).nullable().default(null).describe('For this agent alone.'),
    app_id: z.string().max(128).nullable().default(null).describe('For the agents of this app.'),
    period: z.enum(budgetPeriods),
    limit_cents: z.int().min(0).max(limitCentsAtMost).describe('US cents; 0: nothing.'),
    warn_at_percent: z.int().min(1).max(99).nullable().default(80).describe('Null: no warning.'),
  }),
  output: Budget,
  refuses: ['character_not_found', 'app_not_found', 'forbidden', 'write_conflict'],

  async run({ budget_id, ...asked }, context) {
    const { store, caller, clock } = context
    const owner_id = caller.accountId
    if (asked.char_id !== null && asked.app_id !== null) onlyOne()
    if (asked.char_id !== null) await ownCharacter(context, asked.char_id)
    if (asked.app_id !== null) await ownApp(context, asked.app_id)
    const id = budgetKey(owner_id, budget_id)
    const answer = await retryUnmet(async () => {
      const kept = await store.budgets.get(id)
      if (!kept && (await store.budgets.count({ owner_id })) >= budgetsAtMost) tooMany()
      const now = clock.now()
      const times = { created_at: kept?.created_at ?? timestamp(now), updated_at: timestamp(now) }
      // With another limit its owner is told again.
      const own = { id, budget_id, owner_id, warned: null, stopped: null }
      const budget: StoredBudget = { ...own, ...asked, ...times }
      const [standing] = await standingsOf(store, [budget], now)
      if (!standing) throw new TypeError('a budget has a standing')
      const asRead = kept && { id, updated_at: kept.updated_at }
      return context.commit(shownBudget(standing), [
        asRead
          ? { in: 'budgets', update: asRead, replace: budget }
          : { in: 'budgets', insert: budget },
      ])
    })
    await lookAgain(context, owner_id)
    return answer
  },
})

function onlyOne(): never {
  const message = 'must be null where char_id is named'
  const errors = [{ pointer: '/app_id', message, code: 'custom' }]
  return refuse('invalid_input', `app_id: ${message}`, { errors })
}

function tooMany(): never {
  return refuse('quota_exceeded', `An account has at most ${budgetsAtMost} budgets.`, {
    hint: 'Delete one, or change one that there is.',
  })
}
