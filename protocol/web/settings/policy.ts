import type { AccountPolicy } from '#src/accounts/policy.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { choice, field, problemOfAll, type Problems } from '../fields.ts'

/** The form of what an account leaves to persons, as it was filled in and with what was wrong with it. */
export interface PolicyForm {
  approvals: boolean
  spend: string
  problems: Problems
}

/** What is left to persons, and the form that changes it. */
export function policyForm(
  accountId: string,
  policy: AccountPolicy,
  { approvals, spend, problems }: PolicyForm = shownOf(policy),
): Html {
  return html`<form method="post" novalidate class="card" aria-labelledby="policy">
    ${problemOfAll(problems)}
    <input type="hidden" name="account" value="${accountId}" />
    ${choice({
      name: 'approvals',
      label: 'Who decides approvals',
      problems,
      options: html`<option value="keys">People and keys</option>
        <option value="people" ${approvals && html`selected`}>People alone</option>`,
    })}
    ${field({
      name: 'spend',
      label: 'What keys may spend in a day, in cents',
      hint: 'Beyond it only people order. Left empty, there is no such bound.',
      attributes: html`inputmode="numeric" maxlength="10" autocomplete="off"`,
      value: spend,
      problems,
    })}
    <button name="action" value="set_policy">Save</button>
  </form>`
}

function shownOf({ approvals_need_person, key_spend_cents_a_day }: AccountPolicy): PolicyForm {
  const spend = key_spend_cents_a_day === null ? '' : String(key_spend_cents_a_day)
  return { approvals: approvals_need_person, spend, problems: {} }
}

/** What a form sets; undefined for an amount that is none. */
export function policyIn(form: URLSearchParams): { sent: PolicyForm; policy?: AccountPolicy } {
  const approvals = form.get('approvals') === 'people'
  const spend = form.get('spend')?.trim() ?? ''
  const sent = { approvals, spend, problems: {} }
  if (spend !== '' && !/^\d{1,10}$/.test(spend)) return { sent }
  const key_spend_cents_a_day = spend === '' ? null : Number(spend)
  return { sent, policy: { approvals_need_person: approvals, key_spend_cents_a_day } }
}
