import type { ApiKeyRecord } from '#src/accounts/account.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Some } from '#src/accounts/people/holdings.ts'
import { choice, field, problemOfAll, shownOnce, type Problems } from '../fields.ts'
import { onceField } from '../once.ts'
import type { Paths } from '../paths.ts'
import { datedTimeOf } from '#src/views/moments.ts'
import type { Shown } from './shown.ts'

/** One page of the keys of an account. */
export interface KeyPage {
  items: ApiKeyRecord[]
  next_cursor: string | null
}

/** A form for a new key, as it was filled in and with what was wrong with it. */
export interface KeyForm {
  name?: string
  scope?: string
  problems?: Problems
}

/** The keys of an account, newest first. */
export function keyList(
  paths: Paths,
  accountId: string,
  { items, next_cursor }: KeyPage,
  shown: Shown,
): Html {
  if (items.length === 0) return html`<p class="card">There are none.</p>`
  const older =
    next_cursor !== null &&
    html`<p><a href="${paths.settings(accountId, { keys: next_cursor })}">Older keys</a></p>`
  return html`<ul class="list card">
      ${items.map((key) => keyItem(paths, accountId, key, shown))}
    </ul>
    ${older}`
}

function keyItem(paths: Paths, accountId: string, key: ApiKeyRecord, { isOwner, at }: Shown): Html {
  const { id, name, created_at, last_used_at, revoked_at } = key
  const used =
    last_used_at === null ? 'not used yet' : html`last used on ${datedTimeOf(last_used_at, at)}`
  const states = revoked_at === null ? used : html`revoked on ${datedTimeOf(revoked_at, at)}`
  return html`<li>
    <div>
      <p><bdi>${name}</bdi></p>
      <p class="soft">${whatItIs(key)}</p>
      <p class="soft">Made on ${datedTimeOf(created_at, at)}, ${states}</p>
    </div>
    ${
      isOwner &&
      revoked_at === null &&
      html`<a
        class="button"
        href="${paths.settings(accountId, { revoke: id })}"
        aria-label="Revoke the key ${name}"
        >Revoke…</a
      >`
    }
  </li>`
}

function whatItIs({
  key,
  scope_char_id,
  rights = [],
}: Pick<ApiKeyRecord, 'key' | 'scope_char_id' | 'rights'>): Html {
  const whom =
    scope_char_id === null ? 'for the account' : html`acts as <bdi>${scope_char_id}</bdi>`
  const more = rights.includes('policy') && ', and may change its gates, tools and channels'
  return html`<code>${key}</code>, ${whom}${more}`
}

/** The form for a new key. */
export function keyForm(accountId: string, agents: Some, form: KeyForm = {}): Html {
  const { name = '', scope = '', problems = {} } = form
  return html`<form method="post" novalidate class="card" aria-labelledby="new-key">
    <h3 id="new-key">A new key</h3>
    ${problemOfAll(problems)}${accountField(accountId)} ${onceField()}
    ${field({
      name: 'name',
      label: 'Name',
      attributes: html`autocomplete="off" maxlength="200" dir="auto" required`,
      value: name,
      hint: 'So that you know later what it is for.',
      problems,
    })}
    ${scopeField(agents, { scope, problems, hint: scopeHint })}
    <button class="main" name="action" value="create_key">Make the key</button>
  </form>`
}

const scopeHint = 'A key for one agent always acts as that agent, and reaches nothing else.'

/** The whole account or one agent: a list if it can contain all agents; otherwise the id is typed. */
export function scopeField(
  { newest, count }: Some,
  { scope, problems, hint: about }: { scope: string; problems: Problems; hint: string },
): Html {
  const common = { name: 'scope', label: 'For', hint: about, problems }
  const option = (id: string, label: string): Html =>
    html`<option value="${id}" ${id === scope && html`selected`}>${label}</option>`
  if (count <= newest.length) {
    const agents = newest.map(({ id, name }) => option(id, name === id ? id : `${name} (${id})`))
    return choice({ ...common, options: [option('', 'The whole account'), ...agents] })
  }
  const attributes = html`autocomplete="off" autocapitalize="none" spellcheck="false"
  maxlength="128" list="scopes"`
  const hint = `${about} Enter the id of the agent; leave this empty for the whole account.`
  return html`${field({ ...common, label: 'For the agent', hint, attributes, value: scope })}
    <datalist id="scopes">${newest.map(({ id, name }) => option(id, name))}</datalist>`
}

/** The only page that shows a key. */
export function newKeyView(paths: Paths, accountId: string, key: ApiKeyRecord): View {
  const { name, scope_char_id } = key
  const whom =
    scope_char_id === null
      ? 'for the whole account'
      : html`that acts as the agent <bdi>${scope_char_id}</bdi>`
  const main = html`<p>This is the key <bdi>${name}</bdi>, ${whom}.</p>
    ${shownOnce({ id: 'key', label: 'Your new key', act: 'Copy it now and keep it secret', text: key.key })}
    <p class="soft">Programs send it as <code>Authorization: Bearer ab_…</code></p>
    <div class="actions">
      <a class="button main" href="${paths.settings(accountId)}">I have copied it</a>
    </div>`
  return { status: 200, title: 'Your new key', main }
}

/** The page before a key is revoked. @param isLast no other key of the whole account is valid */
export function revokingView(
  paths: Paths,
  accountId: string,
  key: ApiKeyRecord,
  isLast: boolean,
): View {
  const main = html`<p>You are about to revoke the key <bdi>${key.name}</bdi>.</p>
    <p class="soft">${whatItIs(key)}</p>
    <p>
      From then on it is refused everywhere, and everything that works with it stops. This cannot be
      undone.
    </p>
    ${
      isLast &&
      html`<p class="wrong">
        It is the last key of the whole account: without one, no program can act for the account or
        make a key. You can make a new one in your settings at any time.
      </p>`
    }
    <form method="post" class="actions">
      ${accountField(accountId)}
      <input type="hidden" name="key_id" value="${key.id}" />
      <button class="bad" name="action" value="revoke_key">Revoke the key</button>
      <a class="button" href="${paths.settings(accountId)}">Keep it</a>
    </form>`
  return { status: 200, title: 'Revoke this key?', main }
}

/** Tells a form which account it changes. */
export function accountField(accountId: string): Html {
  return html`<input type="hidden" name="account" value="${accountId}" />`
}
