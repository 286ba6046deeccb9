import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput, pageOf } from '#src/core/page.ts'
import { sumDays } from '#src/runs/spend/sum.ts'
import { periodsAt } from '#src/runs/spend/sum.ts'
import {
  byCost,
  byDay,
  byName,
  daysIn,
  periodsIn,
  shownFigures,
  SpendFigures,
  SpendRow,
  summaryKinds,
  totalOf,
} from '#src/runs/spend/summary.ts'

const daysAtMost = 366
const Day = z.iso.date()

export const summary = operation({
  name: 'usage.summary',
  summary:
    'Add up what the models of your agents were asked and what that cost, by day, agent, team or model.',
  description:
    'Days are in UTC, both included; by default from the first of this month until today. A cost ' +
    'without a price is unknown: such calls are counted in unpriced_calls. Days come oldest first, ' +
    'agents, apps and models by name; with order: cost the dearest first, over one day or one ' +
    `month. Sums are kept for ${sumDays} days.`,
  example: { from: '2026-03-01', to: '2026-03-31', by: 'agent', order: 'cost' },
  auth: 'key',
  http: { method: 'GET', path: '/api/usage' },
  toolsets: ['payments'],
  input: z.strictObject({
    from: Day.optional(),
    to: Day.optional(),
    by: z.enum(summaryKinds).default('day'),
    order: z.enum(['name', 'cost']).default('name'),
    ...pageInput,
  }),
  output: pageOf(SpendRow).extend({
    from: z.string(),
    to: z.string(),
    total: SpendFigures.describe('Of all that was spent in these days, on whichever page.'),
  }),
  refuses: ['cursor_invalid'],

  async run({ by, order, from: since, to: until, ...page }, { store, caller, clock }) {
    const { day: today, month } = periodsAt(clock.now())
    const to = until ?? (since !== undefined && since > today ? since : today)
    const from = since ?? (to < `${month}-01` ? `${to.slice(0, 7)}-01` : `${month}-01`)
    const days = { from, to }
    if (to < from) refused('to', 'must not be before from')
    if (Date.parse(to) - Date.parse(from) >= daysAtMost * 86_400_000) {
      refused('to', `must be less than ${daysAtMost} days after from`)
    }
    const periods = periodsIn(days, today)
    const { accountId } = caller
    const total = shownFigures(await totalOf(store, accountId, periods))
    const rows = (): ReturnType<typeof byDay> => {
      if (by === 'day') {
        if (order === 'cost') refused('order', 'must be name where sums are by day')
        return byDay(store, accountId, daysIn(days), page)
      }
      if (order === 'name') return byName(store, accountId, by, periods, page)
      const [period, ...others] = periods
      if (period === undefined || others.length > 0) {
        return refused('order', 'may be cost over one day, or over one month from its first day')
      }
      return byCost(store, accountId, by, period, page)
    }
    return { ...(await rows()), ...days, total }
  },
})

/** @throws Refusal `invalid_input` always */
function refused(member: string, message: string): never {
  const errors = [{ pointer: `/${member}`, message, code: 'out_of_range' }]
  return refuse('invalid_input', `${member}: ${message}`, { errors })
}
