import type { spendOperations } from '#src/catalog/spend-pages.ts'
import { html, type Html, type Part } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { Budget } from '#src/runs/spend/budget.ts'
import type { SpendRow } from '#src/runs/spend/summary.ts'
import { dollars, sumWords } from '#src/views/cost-words.ts'
import { inZone, timeOf } from '#src/views/moments.ts'
import { badge, name, type Look } from '#src/views/parts.ts'
import type { AnswerOf } from '../ask.ts'
import type { Choices } from '../console/choices.ts'
import type { ConsoleView } from '../console/frame.ts'
import { lines, numbers, part } from '../console/parts.ts'
import type { Names } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import { onceField } from '../once.ts'
import { moneyTabs } from './tabs.ts'
import { budgetForm, type BudgetForm } from './budget-form.ts'

type Summary = AnswerOf<typeof spendOperations.summary>

/** What the page of money for models shows. */
export interface Spent {
  today: Summary
  days: Summary
  agents: Summary
  apps: Summary
  models: Summary
  budgets: readonly Budget[]
  /** Of the agents, and of the teams by their ids. */
  names: Names
  teamNames: ReadonlyMap<string, string>
  choices: { agents: Choices; teams: Choices }
  form: BudgetForm
  /** What was done just before. */
  done?: string | undefined
}

const number = new Intl.NumberFormat('en')
const few = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** The page of money for models. */
export function spendView(looking: Looking, spent: Spent): ConsoleView {
  const { today, days, agents, apps, models, names, teamNames, done } = spent
  const { paths } = looking.terms
  const main = html`${moneyTabs(paths, 'models')}
    ${done !== undefined && html`<p class="done" role="status">${done}</p>`}
    ${numbers([
      { name: 'Models today', value: sumWords(today.total) },
      { name: 'This month', value: sumWords(days.total) },
      { name: 'Tokens this month', value: few.format(tokensOf(days.total)) },
    ])}
    ${
      days.total.unpriced_calls > 0 &&
      html`<p class="soft">
        ${count(days.total.unpriced_calls, 'call')} of this month went to models without a price
        here, so what they cost is unknown. The operator gives models a price.
      </p>`
    }
    <p class="soft">Days and months are those of UTC.</p>
    <div class="panes">
      <div>
        ${part('Budgets', 'budgets', budgetsOf(looking, spent))}
        ${part(
          'By day',
          'days',
          rowsOf(days.items.toReversed(), ({ day }) => ({
            title: day !== undefined && inZone(day, 'past', 'UTC'),
          })),
        )}
      </div>
      <div>
        ${part(
          'By agent',
          'agents',
          rowsOf(agents.items, ({ char_id = '' }) => ({
            title: names.of(char_id),
            href: paths.agent(char_id),
          })),
        )}
        ${
          apps.items.length > 0 &&
          part(
            'By team',
            'teams',
            rowsOf(apps.items, ({ app_id = '' }) => ({
              title: name(teamNames.get(app_id) ?? app_id),
              href: paths.team(app_id),
            })),
          )
        }
        ${part(
          'By model',
          'models',
          rowsOf(models.items, ({ model = '' }) => ({ title: name(model) })),
        )}
      </div>
    </div>`
  return { title: 'Money', main }
}

function tokensOf({ input_tokens, output_tokens }: Summary['total']): number {
  return input_tokens + output_tokens
}

interface Named {
  title: Part
  href?: string
}

/** Rows with a bar each, the longest for the largest cost. */
function rowsOf(rows: readonly SpendRow[], named: (row: SpendRow) => Named): Html {
  const most = Math.max(...rows.map(({ cost_cents }) => cost_cents ?? 0), 0)
  const all = rows.map((row) => {
    const { title, href } = named(row)
    const about = html`${count(row.calls, 'call')}, ${number.format(tokensOf(row))} tokens
    ${shareBar((row.cost_cents ?? 0) / (most || 1), 'busy')}`
    return { name: title, href, about, end: sumWords(row) }
  })
  return lines(all, 'No model was asked in this month.')
}

/** How much of a whole, drawn; next to it stands in words what it is. */
function shareBar(share: number, tone: Look['tone']): Html {
  const width = Math.round(Math.min(Math.max(share, 0), 1) * 1000)
  return html`<svg
    class="bar ${tone}"
    viewBox="0 0 1000 10"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="waits" x="0" width="1000" y="3" height="4" />
    <rect class="works" x="0" width="${width}" y="0" height="10" rx="3" />
  </svg>`
}

const looks: Readonly<Record<Budget['state'], Look>> = {
  open: { word: 'Open', tone: 'good', icon: 'check' },
  warned: { word: 'Nearly used up', tone: 'wait', icon: 'warning' },
  used_up: { word: 'Used up', tone: 'bad', icon: 'cross' },
}

function budgetsOf(looking: Looking, spent: Spent): Html {
  const { budgets, choices, form } = spent
  const all = budgets.map((budget) => ({
    name: html`${whoseOf(budget, spent)}, ${dollars(budget.limit_cents)} a ${budget.period}`,
    about: html`${dollars(budget.spent_cents)}
    spent${budget.unpriced_calls > 0 && ', and calls of unknown cost'}; begins again
    ${timeOf(budget.resets_at, looking.at)}
    ${shareBar(budget.spent_cents / (budget.limit_cents || 1), looks[budget.state].tone)}`,
    end: html`${badge(looks[budget.state])}
      <form method="post" class="inline">
        ${onceField()}<input type="hidden" name="budget_id" value="${budget.id}" />
        <button class="quiet" name="action" value="delete">Delete</button>
      </form>`,
  }))
  return html`${lines(all, 'There is no budget: models may cost any amount.')}
  ${budgetForm(form, choices)}`
}

function whoseOf({ char_id, app_id }: Budget, { names, teamNames }: Spent): Html {
  if (char_id !== null) return names.of(char_id)
  if (app_id !== null) return name(teamNames.get(app_id) ?? app_id)
  return html`All agents`
}
