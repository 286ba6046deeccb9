import { accountRoles, type AccountRole } from '#src/core/authorization/account-roles.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { choice, type Problems } from '../fields.ts'

/** What each may do, for people. */
export const roleTells: Readonly<Record<AccountRole, string>> = {
  owner: 'does everything, invites and removes others, and makes keys.',
  approver: 'sees everything, and decides what waits for a decision.',
  reader: 'sees everything, and changes nothing.',
}

/** A role with its article. */
export function namedRole(role: AccountRole): string {
  return role === 'reader' ? 'a reader' : `an ${role}`
}

/** The choice of a role. */
export function roleField(label: string, chosen: AccountRole, problems: Problems = {}): Html {
  const option = (role: AccountRole): Html =>
    html`<option value="${role}" ${role === chosen && html`selected`}>${titles[role]}</option>`
  return choice({ name: 'role', label, problems, options: accountRoles.map(option) })
}

/** The names of the roles. */
export const titles: Readonly<Record<AccountRole, string>> = {
  owner: 'Owner',
  approver: 'Approver',
  reader: 'Reader',
}

/** The role that a form names; a reader for anything else. */
export function roleIn(form: URLSearchParams): AccountRole {
  return accountRoles.find((role) => role === form.get('role')) ?? 'reader'
}
