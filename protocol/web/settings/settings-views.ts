import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Some } from '#src/accounts/people/holdings.ts'
import type { AccountPolicy } from '#src/accounts/policy.ts'
import type { Session } from '#src/accounts/people/session.ts'
import type { HeldAccount, Me } from '../ask.ts'
import { nameForm, type NameForm } from './name.ts'
import { policyForm, type PolicyForm } from './policy.ts'
import type { Paths } from '../paths.ts'
import { memberSection, type InviteForm, type MemberList } from './members.ts'
import { namedRole, titles } from '../members/roles.ts'
import { keyForm, keyList, type KeyForm, type KeyPage } from './keys.ts'
import { connectionList, type ConnectionPage } from './connections.ts'
import { datedTimeOf } from '#src/views/moments.ts'
import type { Showing } from '#src/views/view.ts'
import { tabs } from '../console/parts.ts'
import { accountName } from '../holdings.ts'
import { ownNav, signOutForm } from '../entry/sign-out.ts'

/** The content of the settings page. */
export interface Settings {
  paths: Paths
  me: Me
  /** The account being viewed. */
  account: HeldAccount
  members: MemberList
  inviteForm?: InviteForm | undefined
  keys: KeyPage
  connections: ConnectionPage
  agents: Some
  /** By whose clocks times are shown. */
  at: Pick<Showing, 'zone'>
  sessions: { items: Session[]; next_cursor: string | null }
  form?: KeyForm | undefined
  nameForm: NameForm
  policy: AccountPolicy
  policyForm?: PolicyForm | undefined
  done?: string | undefined
}

const doneTexts: Readonly<Record<string, string>> = {
  name_set: 'The account was saved.',
  policy_set: 'What is left to people was saved.',
  key_revoked: 'The key was revoked.',
  connection_ended: 'The program is no longer connected.',
  session_ended: 'That browser is signed out.',
  session_gone: 'No one is signed in there any more.',
  role_set: 'The role was changed.',
  member_removed: 'They are no longer in the account.',
  last_owner: 'An account keeps an owner: make someone else one first. Nothing was changed.',
  own_account: 'It is the account of that person, who stays its owner. Nothing was changed.',
  member_not_found:
    'They are no longer there, or the invitation was accepted. Nothing was changed.',
}

/** The settings page. */
export function settingsView(settings: Settings, status = 200): View {
  const { paths, me, account, keys, agents, sessions, at, form, done = '' } = settings
  const isOwner = account.role === 'owner'
  const text = Object.hasOwn(doneTexts, done) ? doneTexts[done] : undefined
  const main = html`
    ${text !== undefined && html`<p class="card" role="status">${text}</p>`}
    <p>
      You are signed in as <bdi>${me.person.email}</bdi>.
      <a href="${paths.own('security')}">How you sign in</a>,
      <a href="${paths.own('notifications')}">what you are told</a>
    </p>
    ${accountsOf(paths, me, account)} ${!isOwner && lookingOn(account)} ${contentsOf(settings)}
    ${
      isOwner &&
      html`<section aria-labelledby="name-title">
        <h2 id="name-title">About ${nameOf(account)}</h2>
        ${nameForm(account.id, settings.nameForm)}
      </section>`
    }
    <section aria-labelledby="members">
      <h2 id="members">People of ${nameOf(account)}</h2>
      ${memberSection(account.id, settings.members, { isOwner, at }, settings.inviteForm)}
    </section>
    <section aria-labelledby="keys">
      <h2 id="keys">Keys of ${nameOf(account)}</h2>
      ${keyList(paths, account.id, keys, { isOwner, at })}
      ${isOwner && keyForm(account.id, agents, form)}
    </section>
    ${connectionList(paths, account.id, settings.connections, { isOwner, at })}
    ${
      isOwner &&
      html`<section aria-labelledby="policy">
        <h2 id="policy">What ${nameOf(account)} leaves to people</h2>
        ${policyForm(account.id, settings.policy, settings.policyForm)}
      </section>`
    }
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul class="list card">
        ${sessions.items.map((session) => sessionItem(settings, session))}
      </ul>
      ${
        sessions.next_cursor !== null &&
        html`<p>
          <a href="${paths.settings(account.id, { sessions: sessions.next_cursor })}">Older ones</a>
        </p>`
      }
    </section>
    <p>
      <a href="${paths.leave(account.id)}"
        >${isOwner ? 'Take everything along, or delete' : 'Leave'} ${nameOf(account)}</a
      >
    </p>
  `
  return { status, title: 'Settings', main }
}

/** The ways to the parts of this page. */
function contentsOf({ account, connections }: Settings): Html {
  const isOwner = account.role === 'owner'
  const to = (id: string, label: string) => ({ href: `#${id}`, label, isHere: false })
  const all = [
    ...(isOwner ? [to('name-title', 'Account')] : []),
    to('members', 'People'),
    to('keys', 'Keys'),
    ...(connections.items.length > 0 ? [to('connections', 'Programs')] : []),
    ...(isOwner ? [to('policy', 'Left to people')] : []),
    to('sessions', 'Browsers'),
  ]
  return tabs(all, 'On this page')
}

function lookingOn({ role }: HeldAccount): Html {
  return html`<p class="card">You are ${namedRole(role)} of this account: its owners change it.</p>`
}

function nameOf(account: HeldAccount): Html {
  return account.own ? html`your own account` : accountName(account)
}

function accountsOf(paths: Paths, me: Me, looked: HeldAccount): Html | undefined {
  const { accounts, next_cursor } = me
  if (accounts.length === 1 && next_cursor === null) return undefined
  const isShown = accounts.some(({ id }) => id === looked.id)
  const others = accounts.filter(({ own }) => !own)
  const own = accounts.filter(({ own }) => own)
  const shown = [...own, ...(isShown ? [] : [looked]), ...others]
  return html`<nav aria-labelledby="accounts">
    <h2 id="accounts">Your accounts</h2>
    <ul class="list card">
      ${shown.map((account) => accountItem(paths, account, { looked, actsFor: actsFor(me) }))}
    </ul>
    ${
      next_cursor !== null &&
      html`<p>
        <a href="${paths.settings(looked.id, { accounts: next_cursor })}">More accounts</a>
      </p>`
    }
  </nav>`
}

/** The account that the browser acts for where no page names one; undefined for the person's own. */
function actsFor({ session }: Me): string | undefined {
  return session.account_id ?? undefined
}

function accountItem(
  paths: Paths,
  account: HeldAccount,
  { looked, actsFor: chosen }: { looked: HeldAccount; actsFor: string | undefined },
): Html {
  const { id, own, role } = account
  const isLooked = id === looked.id
  const isChosen = chosen === undefined ? own : id === chosen
  return html`<li>
    <div>
      <a href="${paths.settings(id)}" ${isLooked && html`aria-current="page"`}
        >${own ? html`Your own account` : accountName(account)}</a
      >
      <p class="soft">
        ${titles[role]}${isLooked && ', shown here'}${isChosen && ', and what other pages show'}
      </p>
    </div>
    ${
      !isChosen &&
      html`<form method="post" action="${paths.account}">
        <button name="account" value="${id}">Go to it</button>
      </form>`
    }
  </li>`
}

function sessionItem({ paths, account, at }: Settings, session: Session): Html {
  const { id, current, user_agent, address, created_at, last_used_at } = session
  return html`<li>
    <div>
      <p><bdi>${user_agent ?? 'An unnamed program'}</bdi></p>
      <p class="soft">
        From ${address}, signed in on ${datedTimeOf(created_at, at)}, last used on
        ${datedTimeOf(last_used_at, at)}
      </p>
      ${current && html`<p><strong>This browser</strong></p>`}
    </div>
    ${current ? signOutForm(paths, undefined, 'button') : endForm(paths, account.id, id)}
  </li>`
}

function endForm(paths: Paths, accountId: string, id: string): Html {
  return html`<form method="post" action="${paths.settings()}">
    <input type="hidden" name="account" value="${accountId}" />
    <input type="hidden" name="session_id" value="${id}" />
    <button name="action" value="end_session">Sign it out</button>
  </form>`
}

/** For an account, a key or anything else that does not exist for this person. */
export function notThere(paths: Paths, text: string, back: string): View {
  const main = html`<p>${text}</p>
    <p><a href="${back}">Go to your settings</a></p>`
  return { status: 404, title: 'That is not here', main, nav: ownNav(paths) }
}
