import { claimDays } from '#src/accounts/account.ts'
import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Holdings } from '#src/accounts/people/holdings.ts'
import type { ClaimPreview } from '#src/accounts/people/preview.ts'
import type { Me } from '../ask.ts'
import { entryStatus, type Entry, type Ways } from '../entry/entry.ts'
import { entryForm } from '../entry/form.ts'
import type { Paths } from '../paths.ts'
import { accountName, holdingsOf, timeOf } from '../holdings.ts'
import { ownNav, signOutForm } from '../entry/sign-out.ts'

/** A usable link, and what it is for. */
export interface OpenClaim {
  paths: Paths
  code: string
  signUp: SignUp
  ways: Ways
  preview: ClaimPreview
  holdings: Holdings
}

/** The page of a usable link: for the person who is signed in, or with a form to sign in. */
export function openView(claim: OpenClaim, who: Me | Entry): View {
  const { paths, preview, holdings } = claim
  const { account, expires_at } = preview
  const isSignedIn = 'person' in who
  const main = html`<p>
      An AI agent works on this server with an account that no person holds. It has made this link
      so that a person can take the account over.
    </p>
    <dl class="card">
      <dt>Account</dt>
      <dd>${accountName(account)}</dd>
      <dt>Made on</dt>
      <dd>${timeOf(account.created_at)}</dd>
      <dt>The link works until</dt>
      <dd>${timeOf(expires_at)}</dd>
    </dl>
    ${isSignedIn ? deciding(claim, who) : comingIn(claim, who)}
    <h2 id="covers">What it covers</h2>
    ${holdingsOf(holdings, 'h3')}`
  const head = isSignedIn ? { status: 200, nav: ownNav(paths) } : entryStatus(who, claim.ways)
  return { title: 'Take over the account of an agent', main, ...head }
}

function comingIn({ paths, code, signUp, ways }: OpenClaim, entry: Entry): Html {
  const isEntryOnly = signUp.mode === 'closed' || !ways.passwords
  const doing = isEntryOnly ? 'sign in' : 'register or sign in'
  const path = paths.claim(code)
  const otherWay = entry.way === 'register' ? `${path}?sign-in` : path
  return html`<p>
      To take it over, or to reject it, ${doing}. That alone changes nothing of the account.
    </p>
    ${entryForm(entry, { otherWay, isPart: true, signUp, isInvited: true, ways })}`
}

function deciding({ paths, code }: OpenClaim, { person }: Me): Html {
  return html`<p>
      If you take it over it is yours, with all that is listed below. The agent goes on working with
      its keys, which you can end in your settings.
    </p>
    <form method="post" class="actions">
      <button class="main" name="action" value="complete">Take it over</button>
      <a class="button" href="${paths.claim(code)}?reject">Reject it…</a>
    </form>
    ${signedInAs(paths, person.email, code)}`
}

function signedInAs(paths: Paths, email: string, code: string): Html {
  return html`<div class="row">
    <p class="soft">You are signed in as <bdi>${email}</bdi>.</p>
    ${signOutForm(paths, paths.claim(code), 'plain')}
  </div>`
}

/** The page before a link is rejected. */
export function rejectingView({ paths, code, preview }: OpenClaim): View {
  const main = html`<p>
      If you reject the account ${accountName(preview.account)}, it closes, and no one can take it
      over any more:
    </p>
    <ul>
      <li>Its keys end at once, and everything that works with them stops.</li>
      <li>Runs under way are cancelled, and its tasks are disabled.</li>
      <li>What it has published stays.</li>
    </ul>
    <p>This cannot be undone.</p>
    <form method="post" class="actions">
      <button class="bad" name="action" value="reject">Reject it and end its keys</button>
      <a class="button" href="${paths.claim(code)}">Go back</a>
    </form>`
  return { status: 200, title: 'Reject this account?', main, nav: ownNav(paths) }
}

/** The page of a link through which this person already holds the account. */
export function ownView({ paths, preview, holdings }: OpenClaim): View {
  const { account } = preview
  const main = html`<p>You hold the account ${accountName(account)}. Its keys work as before.</p>
    <div class="actions">
      <a class="button main" href="${paths.home}">See what it does today</a>
      <a class="button" href="${paths.settings(account.id)}">Its keys and settings</a>
    </div>
    <h2 id="covers">What it covers</h2>
    ${holdingsOf(holdings, 'h3')}`
  return { status: 200, title: 'This account is yours', main, nav: ownNav(paths) }
}

/** The page of a link that cannot be used, for any reason. */
export function closedView(
  paths: Paths,
  code: string,
  state: Exclude<ClaimPreview['state'], 'open'> | 'unknown',
  me: Me | undefined,
): View {
  const { status, title, says } = closed[state]
  const isOthers = state === 'claimed'
  const main = html`${says}
  ${isOthers && (me ? heldByAnother(paths, me, code) : signInToSee(paths, code))}`
  return { status, title, main, ...(me && { nav: ownNav(paths) }) }
}

const another = html`<p>
  To get a link that works, ask the agent to make a new account, and to send you the link of that
  one.
</p>`

const closed = {
  unknown: {
    status: 404,
    title: 'This link leads nowhere',
    says: html`<p>
      There is no account for this link. Check that all of it was copied: one letter may be missing.
      Or ask the person who gave it to you for it again.
    </p>`,
  },
  claimed: {
    status: 409,
    title: 'This link was used',
    says: html`<p>The account of this link was taken over already. A link works once.</p>`,
  },
  rejected: {
    status: 410,
    title: 'This link was rejected',
    says: html`<p>
        Someone who had this link has rejected it: its account is closed, and no key of it works any
        more.
      </p>
      ${another}`,
  },
  expired: {
    status: 410,
    title: 'This link has expired',
    says: html`<p>
        A link works for ${claimDays} days, and they are over. No one has taken the account over,
        and nothing in it has changed.
      </p>
      ${another}`,
  },
}

function heldByAnother(paths: Paths, { person }: Me, code: string): Html {
  return html`<p>
      It is not held by you. If you took it over under another e-mail address, sign out, and sign in
      with that one. Otherwise ask the person who gave you the link who else had it.
    </p>
    ${signedInAs(paths, person.email, code)}
    <p><a href="${paths.settings()}">Go to your settings</a></p>`
}

function signInToSee(paths: Paths, code: string): Html {
  return html`<p>
      If that was you, sign in to see it. If not, ask the person who gave you the link who else had
      it.
    </p>
    <div class="actions">
      <a class="button main" href="${paths.signInFor(paths.claim(code))}">Sign in</a>
    </div>`
}
