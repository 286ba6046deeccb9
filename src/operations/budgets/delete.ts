import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { call } from '#src/core/words/reference.ts'
import { budgetKey } from '#src/runs/spend/budget.ts'
import { lookAgain } from '#src/runs/waits/budget.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'budgets.delete',
  summary: 'Delete a budget; what waited for it goes on.',
  example: { budget_id: 'ada' },
  auth: 'key',
  http: { method: 'DELETE', path: '/api/budgets/{budget_id}' },
  toolsets: ['payments'],
  input: z.strictObject({ budget_id: z.string().max(128) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['budget_not_found', 'write_conflict'],
  destructive: true,

  async run({ budget_id }, context) {
    const { store, caller } = context
    const id = budgetKey(caller.accountId, budget_id)
    const answer = await retryUnmet(async () => {
      const kept = await store.budgets.get(id)
      if (!kept) return noBudget(budget_id)
      const { updated_at } = kept
      return context.commit({ id: budget_id, deleted: true as const }, [
        { in: 'budgets', update: { id, updated_at }, change: { $set: { updated_at } } },
        { in: 'budgets', delete: { id } },
      ])
    })
    await lookAgain(context, caller.accountId)
    return answer
  },
})

function noBudget(id: string): never {
  const hint = `${call('budgets.list')} lists yours.`
  return refuse('budget_not_found', `There is no budget "${id}".`, { hint })
}
