import type { Passkey } from '#src/accounts/passkeys/passkey.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { datedTimeOf } from '#src/views/moments.ts'
import { name as called } from '#src/views/parts.ts'
import type { Looking } from '../console/reader.ts'
import { passwordField } from '../entry/credential-fields.ts'
import { apiPath, passkeyConfirm, passkeyFields } from '../entry/passkey.ts'
import { field, problemOfAll, type Problems } from '../fields.ts'

const nameAtMost = 200

/** The passkeys of a person, and the form for another one, which the script shows where the browser can make it. */
export function passkeyPart(
  { at, terms: { paths } }: Looking,
  passkeys: readonly Passkey[],
  { problems, typed }: { problems: Problems; typed: string | undefined },
): Html {
  const list = html`<ul class="list card">
    ${passkeys.map((one) => itemOf(one, at))}
  </ul>`
  const none = html`<p class="empty">
    You have none. With a passkey you sign in by a finger, your face or a PIN on your own device,
    without a password and without a code.
  </p>`
  return html`${passkeys.length > 0 ? list : none}
    <form
      method="post"
      novalidate
      hidden
      class="card"
      aria-label="Add a passkey"
      data-passkey="make"
      data-options="${apiPath(paths, 'passkeys/options')}"
      data-confirm="${apiPath(paths, 'confirm')}"
    >
      ${field({
        name: 'passkey_name',
        label: 'Name of a new passkey',
        attributes: html`autocomplete="off" maxlength="${nameAtMost}" dir="auto" required`,
        value: typed ?? 'This device',
        problems,
      })}
      ${passwordField({}, 'Your password', 'key_password')} ${passkeyFields}
      <button name="action" value="create_passkey">Add a passkey</button>
    </form>`
}

function itemOf({ id, name, backed_up, created_at, last_used_at }: Passkey, at: Looking['at']) {
  const used =
    last_used_at === null ? 'not used yet' : html`last used ${datedTimeOf(last_used_at, at)}`
  return html`<li>
    <div>
      <p>${called(name, nameAtMost)}</p>
      <p class="soft">
        Made ${datedTimeOf(created_at, at)}, ${used}${backed_up && ', kept for several devices'}
      </p>
    </div>
    <form method="post">
      <input type="hidden" name="passkey_id" value="${id}" />
      <button class="bad" name="action" value="delete_passkey" aria-label="Delete ${name}">
        Delete
      </button>
    </form>
  </li>`
}

/** Asks who deletes a passkey to show that it is them. */
export function deletionView(
  { terms: { paths } }: Looking,
  { id, problems }: { id: string; problems: Problems },
): View {
  const main = html`<p>Signing in by this passkey ends then; your password stays as it is.</p>
    <form method="post" novalidate class="card" aria-label="Delete a passkey">
      ${problemOfAll(problems)}
      <input type="hidden" name="passkey_id" value="${id}" />
      ${passwordField(problems, 'Your password', 'own_password')} ${passkeyConfirm(paths)}
      <button class="bad" name="action" value="delete_passkey">Delete it</button>
    </form>
    <p><a href="${paths.own('security')}">Keep it</a></p>`
  return { status: 200, title: 'Show that it is you', main, asksDevices: true }
}
