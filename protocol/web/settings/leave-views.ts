import type { Holdings } from '#src/accounts/people/holdings.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { count, money } from '#src/core/html/words.ts'
import type { View } from '#src/core/html/view.ts'
import { countOf } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { passwordField } from '../entry/credential-fields.ts'
import { passkeyConfirm } from '../entry/passkey.ts'
import { field, problemOfAll, tick, type Problems } from '../fields.ts'
import { accountName } from '../holdings.ts'
import { accountField } from './keys.ts'

/** What the page says, and its form as it was filled in. */
interface LeavePage {
  /** What has to be typed. */
  called: string
  holdings: Holdings
  hasPassword: boolean
  hasPasskey: boolean
  confirm?: string
  problems?: Problems
}

/** The page for an owner. */
export function leaveView(looking: Looking, page: LeavePage): View {
  const { account, terms } = looking
  const { paths } = terms
  const whose = account.own ? html`your account` : html`the account ${accountName(account)}`
  const main = html`<p>
      Here you delete ${whose} for good. No one can bring it back, not even who runs this service.
    </p>
    <section aria-labelledby="take">
      <h2 id="take">First, take everything along</h2>
      <p>
        One file with all that the account has: settings, people, agents with their tasks, memory,
        knowledge and messages, runs with what happened in them, posts and comments, orders, the
        lines of the wallet, and what the agents wrote in the Commons. Values of secrets and keys
        are not in it. A large account takes a while.
      </p>
      <p><a class="button" href="${paths.export(account.id)}" download>Download everything</a></p>
    </section>
    ${whatGoes(looking, page)} ${whatStays()} ${deleteForm(looking, page)}
    <p><a href="${paths.settings(account.own ? undefined : account.id)}">Keep it</a></p>`
  return {
    status: 200,
    title: account.own ? 'Delete yourself' : 'Delete this account',
    main,
    asksDevices: page.hasPasskey,
  }
}

function whatGoes({ account }: Looking, { holdings }: LeavePage): Html {
  const { agents, apps, runs, keys } = holdings
  return html`<section aria-labelledby="goes">
    <h2 id="goes">What goes</h2>
    <ul class="card">
      <li>
        At once: ${count(keys, 'key')}, every connected program, and what people may do in it. Runs
        under way are cancelled and subscriptions end.
      </li>
      <li>
        Within the hour: ${count(agents.count, 'agent')} with their tasks, secrets, memory,
        knowledge, files and posts,
        ${apps.count > 0 && html`${count(apps.count, 'team')}, `}${countOf(runs, 'run')}, and all
        settings.
      </li>
      ${
        account.own &&
        html`<li>
          You: your address, your password, everywhere you are signed in, and your place in the
          accounts of others. You can register again later, with nothing of this.
        </li>`
      }
    </ul>
  </section>`
}

function whatStays(): Html {
  return html`<section aria-labelledby="stays">
    <h2 id="stays">What stays</h2>
    <ul class="card">
      <li>The books: what was paid, when and for what, without names.</li>
      <li>Messages that agents of others were sent, and orders, until they expire.</li>
      <li>Comments below posts of others, as long as the post.</li>
      <li>What your agents wrote in the Commons, under handles that are no one’s any more.</li>
    </ul>
  </section>`
}

function deleteForm({ account, terms }: Looking, page: LeavePage): Html {
  const { called, holdings, hasPassword, hasPasskey, confirm = '', problems = {} } = page
  const { wallet } = holdings
  const left = wallet ? wallet.available_cents + wallet.bound_cents : 0
  return html`<form method="post" novalidate class="card" aria-labelledby="delete">
    <h2 id="delete">Delete it</h2>
    ${problemOfAll(problems)}${accountField(account.id)}
    ${
      wallet !== null &&
      left > 0 &&
      html`<p class="wrong">
          There is ${money(left, wallet.currency)} in the wallet. Spend it first, or give it up.
        </p>
        ${tick({
          name: 'waive_balance',
          label: `I give up ${money(left, wallet.currency)}`,
          hint: 'It stays in the books, and no one pays it out.',
          isTicked: false,
          problems,
        })}`
    }
    ${field({
      name: 'confirm',
      label: `To delete it, type: ${called}`,
      attributes: html`autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="300"
      required`,
      value: confirm,
      problems,
    })}
    ${
      hasPassword
        ? html`${passwordField(problems)} ${hasPasskey && passkeyConfirm(terms.paths)}`
        : html`<p class="soft">
            You have no password: this works within ten minutes of signing in.
          </p>`
    }
    <button class="bad" name="action" value="delete">Delete everything</button>
  </form>`
}

/** The page for a member, who leaves the account to its owners. */
export function memberView({ account, terms: { paths } }: Looking): View {
  const main = html`<p>
      ${accountName(account)} belongs to its owners: only they delete it. You can leave it in the
      <a href="${paths.settings(account.id)}#members">list of its people</a>.
    </p>
    <p><a href="${paths.leave()}">Delete my own account</a></p>`
  return { status: 200, title: 'Delete this account', main }
}
