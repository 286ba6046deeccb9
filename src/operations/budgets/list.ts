import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { after, openCursor, pageInput, pageOf, sealCursor } from '#src/core/page.ts'
import { Budget, shownBudget, standingsOf } from '#src/runs/spend/budget.ts'

export const list = operation({
  name: 'budgets.list',
  summary: 'List the budgets of the account, each with what was spent of it.',
  description:
    'One that is used up has the state used_up until resets_at, or until its limit is raised.',
  example: {},
  auth: 'key',
  http: { method: 'GET', path: '/api/budgets' },
  toolsets: ['payments'],
  input: z.strictObject(pageInput),
  output: pageOf(Budget),
  refuses: ['cursor_invalid'],

  async run({ limit, cursor }, { store, caller, clock }) {
    const owner_id = caller.accountId
    const order = { list: `budgets ${owner_id}`, by: 'id', direction: 1 } as const
    const among = cursor ? after({ owner_id }, order, openCursor(order, cursor)) : { owner_id }
    const found = await store.budgets.find(among, { sort: { id: 1 }, limit: limit + 1 })
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    const isCut = found.length > limit
    const standings = await standingsOf(store, shown, clock.now())
    const next_cursor = isCut && last ? sealCursor(order, [last.id, last.id]) : null
    return { items: standings.map(shownBudget), next_cursor }
  },
})
