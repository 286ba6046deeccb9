import { spendOperations } from '#src/catalog/spend-pages.ts'
import { periodsAt } from '#src/runs/spend/sum.ts'
import { answered, told, type Terms } from '../ask.ts'
import { agentChoices, teamChoices } from '../console/choices.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { namesOf } from '../console/names.ts'
import { problemsOf } from '../fields.ts'
import { onceIn } from '../once.ts'
import { budgetAsked, budgetIn, limitProblem, type BudgetForm } from './budget-form.ts'
import { spendView } from './views.ts'
import { sumKindIn, toppedUp, walletShown } from './wallet.ts'

const rowsAtMost = 10
const budgetsShown = 50

const dones = new Map([
  ['set', 'The budget is set.'],
  ['deleted', 'The budget is deleted; what waited for it goes on.'],
])

/** What models cost and may cost; and, where the query asks for it, the wallet. */
export function spendScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.spend()
  return {
    here,
    show(query, looking, typed) {
      if (query.get('of') === 'wallet') {
        const cursor = query.get('cursor') ?? undefined
        return walletShown(looking, { kind: sumKindIn(query), cursor })
      }
      return shown(looking, budgetIn(typed), dones.get(query.get('done') ?? ''))
    },
    async submit(form, looking) {
      const asked = { ...looking.as, idempotencyKey: onceIn(form) }
      const action = form.get('action')
      if (action === 'top_up') return toppedUp(looking, form)
      if (action === 'delete') {
        const budget_id = form.get('budget_id') ?? ''
        const { refusal } = await told(terms, spendOperations.budgets.remove, { budget_id }, asked)
        if (refusal && refusal.code !== 'budget_not_found') throw refusal
        return { goTo: terms.paths.spend({ done: 'deleted' }) }
      }
      const filled = budgetIn(form)
      if (action !== 'set') return shown(looking, filled)
      const budget = budgetAsked(filled)
      if (!budget) return shown(looking, { ...filled, problems: { limit: limitProblem } })
      const { refusal } = await told(terms, spendOperations.budgets.put, budget, asked)
      if (!refusal) return { goTo: terms.paths.spend({ done: 'set' }) }
      return shown(looking, { ...filled, problems: problemsOf(refusal, {}) })
    },
  }
}

async function shown(looking: Looking, form: BudgetForm, done?: string): Promise<ConsoleView> {
  const { terms, as, account } = looking
  const { day: to, month } = periodsAt(terms.clock.now())
  const from = `${month}-01`
  const dearest = { from, to, order: 'cost', limit: rowsAtMost } as const
  const [today, days, agents, apps, models, budgets, ...choices] = await Promise.all([
    answered(terms, spendOperations.summary, { from: to, to }, as),
    answered(terms, spendOperations.summary, { from, to, limit: 31 }, as),
    answered(terms, spendOperations.summary, { ...dearest, by: 'agent' }, as),
    answered(terms, spendOperations.summary, { ...dearest, by: 'app' }, as),
    answered(terms, spendOperations.summary, { ...dearest, by: 'model' }, as),
    answered(terms, spendOperations.budgets.list, { limit: budgetsShown }, as),
    agentChoices(looking),
    teamChoices(looking),
  ])
  const of = [...agents.items, ...budgets.items]
  const names = await namesOf(
    looking,
    of.flatMap(({ char_id }) => char_id ?? []),
  )
  const teams = [...apps.items, ...budgets.items].flatMap(({ app_id }) => app_id ?? [])
  const own = { id: { $in: [...new Set(teams)] }, owner_id: account.id }
  const rows = await terms.store.apps.pick(['id', 'name'], own)
  const teamNames = new Map(rows.map(([id, called]) => [String(id), String(called)]))
  const [ofAgents, ofTeams] = choices
  return spendView(looking, {
    today,
    days,
    agents,
    apps,
    models,
    budgets: budgets.items,
    names,
    teamNames,
    choices: { agents: ofAgents, teams: ofTeams },
    form,
    done,
  })
}
