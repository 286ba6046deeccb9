import { html, type Html } from '#src/core/html/html.ts'
import { count, money, moment } from '#src/core/html/words.ts'
import { upTo } from './console/parts.ts'
import type { Holdings, NamedThing, Some, WalletLook } from '#src/accounts/people/holdings.ts'

/** What an account has, in a few numbers and by the names of its things. */
export function holdingsOf(holdings: Holdings, level: 'h2' | 'h3' = 'h2'): Html {
  const { agents, apps, runs, keys, wallet } = holdings
  return html`<dl class="card">
      <dt>Agents</dt>
      <dd>${agents.count}</dd>
      <dt>Apps</dt>
      <dd>${apps.count}</dd>
      <dt>Runs</dt>
      <dd>${upTo(runs)}</dd>
      <dt>Live keys</dt>
      <dd>${keys}</dd>
      ${
        wallet
          ? walletRows(wallet)
          : html`<dt>Wallet</dt>
              <dd>Never used</dd>`
      }
    </dl>
    ${listOf('Agents', 'agent', agents, level)} ${listOf('Apps', 'app', apps, level)}`
}

function walletRows({ currency, ...wallet }: WalletLook): Html {
  const { available_cents, bound_cents, spent_cents, spentMore } = wallet
  return html`<dt>In the wallet</dt>
    <dd>${money(available_cents, currency)}</dd>
    ${
      bound_cents !== 0 &&
      html`<dt>Set aside or on its way</dt>
        <dd>${money(bound_cents, currency)}</dd>`
    }
    <dt>Spent</dt>
    <dd>${money(spent_cents, currency)}${spentMore && ' or more'}</dd>`
}

function listOf(
  title: string,
  one: string,
  { newest, count: all }: Some,
  level: 'h2' | 'h3',
): Html | undefined {
  if (newest.length === 0) return undefined
  const id = `all-${one}s`
  const heading =
    level === 'h2' ? html`<h2 id="${id}">${title}</h2>` : html`<h3 id="${id}">${title}</h3>`
  return html`<section aria-labelledby="${id}">
    ${heading}
    <ul class="list card">
      ${newest.map(itemOf)}
      ${all > newest.length && html`<li class="soft">and ${count(all - newest.length, 'more', 'more')}</li>`}
    </ul>
  </section>`
}

/** A thing by its name, and by its id if that says more. */
export function itemOf({ id, name }: NamedThing): Html {
  return html`<li>
    <p>
      <bdi>${name}</bdi>
      ${name !== id && html`<br /><code class="soft">${id}</code>`}
    </p>
  </li>`
}

/** The displayed name of an account. */
export function accountName({ id, name }: { id: string; name: string | null }): Html {
  return name === null ? html`<code>${id}</code>` : html`<bdi>${name}</bdi>`
}

/** A time for people and programs to read. */
export function timeOf(at: string): Html {
  return html`<time datetime="${at}">${moment(at)}</time>`
}
