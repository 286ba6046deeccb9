import type { JoinPreview } from '#src/accounts/members/preview.ts'
import { memberInvitationDays } from '#src/accounts/members/invitation.ts'
import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Me } from '../ask.ts'
import { entryStatus, type Entry, type Ways } from '../entry/entry.ts'
import { entryForm } from '../entry/form.ts'
import { ownNav, signOutForm } from '../entry/sign-out.ts'
import { accountName, timeOf } from '../holdings.ts'
import type { Paths } from '../paths.ts'
import { namedRole, roleTells } from './roles.ts'

/** A link that may be used, and what it is for. */
export interface OpenJoin {
  paths: Paths
  code: string
  signUp: SignUp
  ways: Ways
  preview: JoinPreview
}

/** The page of a usable link: for the person who is signed in, or with a form to sign in. */
export function openView(join: OpenJoin, who: Me | Entry): View {
  const { paths, preview } = join
  const { account, invitation, by } = preview
  const isSignedIn = 'person' in who
  const main = html`<p>
      ${by === undefined ? 'Someone' : html`<bdi>${by}</bdi>`} invites you into an account on this
      server, in which AI agents work.
    </p>
    <dl class="card">
      <dt>Account</dt>
      <dd>${accountName(account)}</dd>
      <dt>You would be</dt>
      <dd>${namedRole(invitation.role)}: ${roleTells[invitation.role]}</dd>
      <dt>The link works until</dt>
      <dd>${timeOf(invitation.expires_at)}</dd>
    </dl>
    ${isSignedIn ? accepting(join, who) : comingIn(join, who)}`
  const head = isSignedIn ? { status: 200, nav: ownNav(paths) } : entryStatus(who, join.ways)
  return { title: 'You are invited', main, ...head }
}

function comingIn({ paths, code, signUp, ways }: OpenJoin, entry: Entry): Html {
  const path = paths.join(code)
  const otherWay = entry.way === 'register' ? `${path}?sign-in` : path
  return html`<p>To accept, register or sign in. That alone changes nothing of the account.</p>
    ${entryForm(entry, { otherWay, isPart: true, signUp, isInvited: true, ways })}`
}

function accepting({ paths, code }: OpenJoin, { person }: Me): Html {
  return html`<p>
      If you accept, the people of the account see your e-mail address, which stands under what you
      decide.
    </p>
    <form method="post" class="actions">
      <button class="main" name="action" value="join">Accept</button>
      <a class="button" href="${paths.home}">Not now</a>
    </form>
    ${signedInAs(paths, person.email, code)}`
}

function signedInAs(paths: Paths, email: string, code: string): Html {
  return html`<div class="row">
    <p class="soft">You are signed in as <bdi>${email}</bdi>.</p>
    ${signOutForm(paths, paths.join(code), 'plain')}
  </div>`
}

/** The page for a person who is a member of the account. */
export function memberView(paths: Paths, { account, role = 'reader' }: JoinPreview): View {
  const main = html`<p>You are ${namedRole(role)} of the account ${accountName(account)}.</p>
    <p class="soft">${roleTells[role]}</p>
    <form method="post" class="actions">
      <input type="hidden" name="account" value="${account.id}" />
      <button class="main" name="action" value="choose">Go to it</button>
    </form>`
  return { status: 200, title: 'You are a member', main, nav: ownNav(paths) }
}

/** The page of an invitation that names another address. */
export function othersView(paths: Paths, code: string, { person }: Me): View {
  const main = html`<p>
      This invitation is for another e-mail address than the one that you are signed in with.
    </p>
    <p>Sign in with the address that it was sent to, or ask for an invitation for yours.</p>
    ${signedInAs(paths, person.email, code)}`
  return { status: 403, title: 'This is for someone else', main, nav: ownNav(paths) }
}

/** The page of a link that cannot be used, for any reason. */
export function closedView(
  paths: Paths,
  preview: Pick<JoinPreview, 'state' | 'why'> | undefined,
  me: Me | undefined,
): View {
  const { status, title, says } = closedWords(preview)
  const main = html`<p>${says}</p>
    <p>Ask the person who gave it to you for another one.</p>`
  return { status, title, main, ...(me && { nav: ownNav(paths) }) }
}

function closedWords(preview: Pick<JoinPreview, 'state' | 'why'> | undefined) {
  if (!preview) {
    const says =
      'There is no invitation for this link: it was withdrawn, or a letter of it is missing.'
    return { status: 404, title: 'This link leads nowhere', says }
  }
  if (preview.state === 'used') {
    const says = 'Someone has accepted this invitation already. A link works once.'
    return { status: 409, title: 'This link was used', says }
  }
  const says = preview.why ?? `An invitation is valid for ${memberInvitationDays} days.`
  return { status: 410, title: 'This invitation is over', says }
}
