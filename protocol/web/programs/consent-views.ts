import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { scopeWords, type OauthScope } from '#src/core/authorization/scopes.ts'
import type { Some } from '#src/accounts/people/holdings.ts'
import type { ConsentRequest } from '#src/core/authorization/authorization.ts'
import type { HeldAccount, Me } from '../ask.ts'
import { choice, problemOfAll, type Problems } from '../fields.ts'
import { scopeField } from '../settings/keys.ts'
import { signOutForm } from '../entry/sign-out.ts'
import type { Paths } from '../paths.ts'

/** What the page of a request shows to a person who is signed in. */
export interface Asking {
  paths: Paths
  request: ConsentRequest
  me: Me
  account: HeldAccount
  agents: Some
  /** A person may open a new account for the program. */
  mayOpen: boolean
  /** What was chosen, where the form is shown again. */
  chosen: { scopes: readonly OauthScope[]; agent: string }
  problems: Problems
}

/** The value of the choice that opens an account. */
export const newAccount = 'new'

/** The page on which a person decides what a program may do. */
export function consentView(asking: Asking, status = 200): View {
  const { paths, request, me, problems } = asking
  const { program } = request
  const main = html`${whoAsks(request)}
    <p class="soft">You are signed in as <bdi>${me.person.email}</bdi>.</p>
    ${accountForm(asking)}
    <form method="post" class="card" novalidate aria-label="What it may do">
      ${problemOfAll(problems)}
      <input type="hidden" name="account" value="${asking.account.id}" />
      ${
        asking.account.id !== newAccount &&
        scopeField(asking.agents, { scope: asking.chosen.agent, problems, hint: agentHint })
      }
      <fieldset>
        <legend>It may</legend>
        ${request.scopes.map((scope) => scopeBox(scope, asking.chosen.scopes.includes(scope)))}
      </fieldset>
      <p class="soft">
        ${sentTo(request)} You can end this at any time in
        <a href="${paths.settings()}">your settings</a>.
      </p>
      <div class="actions">
        <button class="main" name="action" value="allow">Allow</button>
        <button name="action" value="deny">Refuse</button>
      </div>
    </form>
    ${signOutForm(paths, paths.consent(request.id), 'plain')}`
  return {
    status,
    title: `Connect ${program.name}`,
    main,
    leadsTo: placesOf(request),
  }
}

/** The places to which a form of the page may send the browser, if only at last. */
export function placesOf({ leadsTo }: ConsentRequest): string[] {
  return leadsTo === null ? [] : [leadsTo]
}

const agentHint = 'For one agent, it acts as that agent alone, and reaches nothing else.'

/** Who asks, with what of it is verified. */
export function whoAsks({ program: { name, host } }: ConsentRequest): Html {
  if (host === null) {
    return html`<p>
      A program that calls itself <strong><bdi>${name}</bdi></strong> asks for access. No one has
      verified who it is.
    </p>`
  }
  return html`<p>
    <strong><bdi>${name}</bdi></strong> asks for access. It is described at
    <strong>${host}</strong>; nothing else about it is verified.
  </p>`
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

function sentTo({ program: { redirect_host: host } }: ConsentRequest): string {
  if (host === null) return 'Its device is told when you have decided.'
  if (loopback.test(host)) return `You are sent on to a program on this device (${host}).`
  // A scheme ends in a colon, which no host does.
  return host.endsWith(':')
    ? `You are sent on to the program that opens ${host} on this device.`
    : `You are sent on to ${host}.`
}

function accountForm({ me, account, mayOpen }: Asking): Html | undefined {
  // Only owners connect programs.
  const theirs = me.accounts.filter(({ role }) => role === 'owner')
  if (theirs.length === 1 && !mayOpen && account.role === 'owner') return undefined
  const option = (id: string, name: string): Html =>
    html`<option value="${id}" ${id === account.id && html`selected`}>${name}</option>`
  const options = [
    ...theirs.map(({ id, name, own }) =>
      option(id, own ? 'Your own account' : (name ?? `An account without a name (${id})`)),
    ),
    ...(mayOpen ? [option(newAccount, 'A new account')] : []),
  ]
  return html`<details>
    <summary>For ${nameOf(account)}. Another one?</summary>
    <form method="get" class="card" aria-label="Account">
      ${choice({ name: 'account', label: 'Account', problems: {}, options })}
      <button>Show this account</button>
    </form>
  </details>`
}

function nameOf({ id, name, own }: HeldAccount): string {
  if (id === newAccount) return 'a new account'
  return own ? 'your own account' : (name ?? `the account ${id}`)
}

function scopeBox(scope: OauthScope, isChosen: boolean): Html {
  return html`<label class="check">
    <input type="checkbox" name="allowed" value="${scope}" ${isChosen && html`checked`} />
    <span>${scopeWords[scope]} <span class="soft">(${scope})</span></span>
  </label>`
}

/** The page in place of a request that has ended, or that another browser has begun. */
export function endedView(): View {
  const main = html`<p>This request has ended, or was begun in another browser.</p>
    <p>Nothing was connected. Begin again in the program.</p>`
  return { status: 410, title: 'Begin again', main }
}
