import type { MemberInvitation } from '#src/accounts/members/invitation.ts'
import { memberInvitationDays } from '#src/accounts/members/invitation.ts'
import type { Member } from '#src/accounts/members/member.ts'
import { emailAtMost } from '#src/accounts/people/person.ts'
import { accountRoles, type AccountRole } from '#src/core/authorization/account-roles.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { field, problemOfAll, shownOnce, type Problems } from '../fields.ts'
import { datedTimeOf } from '#src/views/moments.ts'
import type { Shown } from './shown.ts'
import { roleField, roleTells, titles } from '../members/roles.ts'
import { onceField } from '../once.ts'
import type { Paths } from '../paths.ts'

/** The persons of an account, and who is invited. */
export interface MemberList {
  members: Member[]
  invitations: MemberInvitation[]
}

/** A form of the section, as it was filled in and with what was wrong with it. */
export interface InviteForm {
  role?: AccountRole
  email?: string
  problems?: Problems
}

/** Who is a member of an account, and for its owners the forms that change it. */
export function memberSection(
  accountId: string,
  { members, invitations }: MemberList,
  shown: Shown,
  form: InviteForm = {},
): Html {
  const { isOwner } = shown
  const emails = new Map(members.map(({ person_id, email }) => [person_id, email]))
  return html`<ul class="list card">
      ${members.map((member) => memberItem(accountId, member, shown))}
    </ul>
    ${
      invitations.length > 0 &&
      html`<h3 id="invited">Invited</h3>
        <ul class="list card" aria-labelledby="invited">
          ${invitations.map((one) => invitedItem(accountId, one, { ...shown, emails }))}
        </ul>`
    }
    ${isOwner && inviteForm(accountId, form)}`
}

function memberItem(accountId: string, member: Member, { isOwner, at }: Shown): Html {
  const { person_id, email, role, joined_at, you } = member
  return html`<li>
    <div>
      <p><bdi>${email}</bdi>${you && html` <strong>(you)</strong>`}</p>
      <p class="soft">
        ${titles[role]}${joined_at !== null && html`, since ${datedTimeOf(joined_at, at)}`}
      </p>
    </div>
    ${isOwner && !you && roleForm(accountId, member)}
    ${(isOwner || you) && removeForm(accountId, person_id, you ? 'Leave' : 'Remove', email)}
  </li>`
}

function roleForm(accountId: string, { person_id, email, role }: Member): Html {
  const option = (one: AccountRole): Html =>
    html`<option value="${one}" ${one === role && html`selected`}>${titles[one]}</option>`
  return html`<form method="post" class="row">
    <input type="hidden" name="account" value="${accountId}" />
    <input type="hidden" name="member_id" value="${person_id}" />
    <select name="role" aria-label="Role of ${email}">
      ${accountRoles.map(option)}
    </select>
    <button name="action" value="set_role">Change</button>
  </form>`
}

function removeForm(accountId: string, memberId: string, words: string, whom: string): Html {
  return html`<form method="post">
    <input type="hidden" name="account" value="${accountId}" />
    <input type="hidden" name="member_id" value="${memberId}" />
    <button name="action" value="remove_member" aria-label="${words}: ${whom}">${words}</button>
  </form>`
}

function invitedItem(
  accountId: string,
  { id, role, email, invited_by, expires_at }: MemberInvitation,
  { emails, isOwner, at }: Shown & { emails: ReadonlyMap<string, string> },
): Html {
  const by = emails.get(invited_by)
  return html`<li>
    <div>
      <p>${email === null ? 'Anyone who has the link' : html`<bdi>${email}</bdi>`}</p>
      <p class="soft">
        ${titles[role]}${by !== undefined && html`, invited by <bdi>${by}</bdi>`}, until
        ${datedTimeOf(expires_at, at)}
      </p>
    </div>
    ${isOwner && removeForm(accountId, id, 'Withdraw', email ?? 'the link')}
  </li>`
}

function inviteForm(
  accountId: string,
  { role = 'approver', email = '', problems = {} }: InviteForm,
): Html {
  return html`<form method="post" novalidate class="card" aria-labelledby="invite">
    <h3 id="invite">Invite a person</h3>
    ${problemOfAll(problems)}
    <input type="hidden" name="account" value="${accountId}" />
    ${onceField()}${roleField('As', role, problems)}
    <ul class="soft">
      ${accountRoles.map((one) => html`<li>${titles[one]}: ${roleTells[one]}</li>`)}
    </ul>
    ${field({
      name: 'email',
      label: 'Their e-mail address',
      attributes: html`type="email" autocomplete="off" autocapitalize="none" spellcheck="false"
      maxlength="${emailAtMost}"`,
      value: email,
      hint: 'Only with this address can it be accepted. Left empty, anyone who has the link can.',
      problems,
    })}
    <button class="main" name="action" value="invite">Make a link</button>
  </form>`
}

/** The only page that shows the link of an invitation. */
export function inviteLinkView(
  paths: Paths,
  accountId: string,
  { role, email, url }: MemberInvitation & { url: string },
): View {
  const whom = email === null ? 'Anyone who has it' : html`<bdi>${email}</bdi>`
  const main = html`<p>${whom} can accept it once, within ${memberInvitationDays} days.</p>
    ${shownOnce({ id: 'link', label: `The link, for ${role === 'reader' ? 'a reader' : `an ${role}`}`, act: 'Copy it now and send it yourself', text: url, rows: 4 })}
    <div class="actions">
      <a class="button main" href="${paths.settings(accountId)}">I have copied it</a>
    </div>`
  return { status: 200, title: 'Your invitation', main }
}
