import { digest } from '#src/core/ids.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { limitCentsAtMost } from '#src/runs/spend/budget.ts'
import { choiceOf, type Choices } from '../console/choices.ts'
import { choice, field, problemOfAll, type Problems } from '../fields.ts'
import { onceField } from '../once.ts'

/** A budget as it was filled in. */
export interface BudgetForm {
  char_id: string
  app_id: string
  period: 'day' | 'month'
  /** Dollars, as they were typed. */
  limit: string
  problems: Problems
}

/** The form before anything is typed, and what was typed into one. */
export function budgetIn(form = new URLSearchParams()): BudgetForm {
  return {
    char_id: form.get('char_id')?.trim() ?? '',
    app_id: form.get('app_id')?.trim() ?? '',
    period: form.get('period') === 'day' ? 'day' : 'month',
    limit: form.get('limit')?.trim() ?? '',
    problems: {},
  }
}

/** What the form asks for; undefined where its limit is no amount. */
export function budgetAsked({ char_id, app_id, period, limit }: BudgetForm) {
  const cents = centsIn(limit)
  if (cents === undefined) return undefined
  return {
    budget_id: idOf(char_id, app_id, period),
    char_id: char_id || null,
    app_id: app_id || null,
    period,
    limit_cents: cents,
  }
}

/** The words for a limit that is no amount. */
export const limitProblem = `Enter an amount in US dollars up to ${limitCentsAtMost / 100}, such as 25 or 2.50.`

function centsIn(text: string): number | undefined {
  const [, whole, part = ''] = /^\$?(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return cents > limitCentsAtMost ? undefined : cents
}

const idAtMost = 128

/** One of each kind: what is set again replaces what there is. */
function idOf(char_id: string, app_id: string, period: string): string {
  const of = char_id ? `agent.${char_id}` : app_id ? `team.${app_id}` : 'all'
  const id = `${of}.${period}`
  return id.length > idAtMost ? digest(id).slice(0, 32) : id
}

/** The form. */
export function budgetForm(
  { char_id, app_id, period, limit, problems }: BudgetForm,
  { agents, teams }: { agents: Choices; teams: Choices },
): Html {
  return html`<form method="post" novalidate class="card" aria-labelledby="set-title">
    <h3 id="set-title">Set a budget</h3>
    ${problemOfAll(problems)} ${onceField()}
    <p class="soft">
      At 80 percent of it you are told; at its limit no model is asked, and what would ask one
      waits. One for the same agents and time replaces the one before.
    </p>
    ${choiceOf('char_id', 'Agent', agents, char_id || undefined, problems)}
    ${teams?.length !== 0 && choiceOf('app_id', 'Team', teams, app_id || undefined, problems)}
    ${choice({
      name: 'period',
      label: 'In each',
      problems,
      options: html`<option value="month">Month</option>
        <option value="day" ${period === 'day' && html`selected`}>Day</option>`,
    })}
    ${field({
      name: 'limit',
      label: 'Limit in US dollars',
      attributes: html`inputmode="decimal" maxlength="12" autocomplete="off" required`,
      value: limit,
      problems,
    })}
    <button class="main" name="action" value="set">Set it</button>
  </form>`
}
