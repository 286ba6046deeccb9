import type { Account } from '#src/accounts/account.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Refusal } from '#src/core/errors.ts'
import { choice, field, problemOfAll, problemsOf, type Problems } from '../fields.ts'

/** The form of what an account is called and keeps, as it was filled in. */
export interface NameForm {
  name: string
  keepsPrompts: boolean
  problems: Problems
}

/** What an account is called, and whether its runs keep what brains were asked. */
export function nameForm(accountId: string, { name, keepsPrompts, problems }: NameForm): Html {
  return html`<form method="post" novalidate class="card" aria-labelledby="name-title">
    ${problemOfAll(problems)}
    <input type="hidden" name="account" value="${accountId}" />
    ${field({
      name: 'account_name',
      label: 'Name of the account',
      hint: 'Its people see it, and no one else. Left empty, it has none.',
      attributes: html`maxlength="200" autocomplete="organization" dir="auto"`,
      value: name,
      problems,
    })}
    ${choice({
      name: 'prompts',
      label: 'What runs keep of what their brain was asked',
      hint: 'Runs of before stay as they are.',
      problems,
      options: html`<option value="kept">All of it, to be looked at later</option>
        <option value="left" ${!keepsPrompts && html`selected`}>
          That it was asked, without the texts
        </option>`,
    })}
    <button name="action" value="set_name">Save</button>
  </form>`
}

/** The form of an account as it stands. */
export function nameOf(account: Account | undefined): NameForm {
  return { name: account?.name ?? '', keepsPrompts: account?.keep_prompts ?? true, problems: {} }
}

/** What such a form holds. */
export function nameIn(form: URLSearchParams): NameForm {
  const name = form.get('account_name')?.trim() ?? ''
  return { name, keepsPrompts: form.get('prompts') !== 'left', problems: {} }
}

/** What was wrong with one. */
export function nameProblems(refusal: Refusal): Problems {
  const { name: account_name, ...others } = problemsOf(refusal, {
    name: 'Enter a name of up to 200 visible characters.',
  })
  return { ...others, ...(account_name !== undefined && { account_name }) }
}
