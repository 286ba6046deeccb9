import { html, type Html } from '#src/core/html/html.ts'
import { pathBelow } from '#src/core/html/below.ts'
import type { Paths } from '../paths.ts'

/** Where the script asks. */
export function apiPath(paths: Paths, path: 'confirm' | `passkey${'' | 's'}/options`): string {
  return pathBelow(paths.address(''), `/api/auth/${path}`)
}

/** The fields that the script fills in, and where it says what went wrong. */
export const passkeyFields: Html = html`<input type="hidden" name="ticket" />
  <input type="hidden" name="answer" />
  <p class="wrong" role="alert" hidden data-says></p>`

/** Signs in by a passkey. The script shows it where the browser has passkeys; without it, there is the password. */
export function passkeyForm(paths: Paths, hidden: Html | undefined): Html {
  return html`<form
    method="post"
    hidden
    data-passkey="enter"
    data-options="${apiPath(paths, 'passkey/options')}"
  >
    ${hidden}${passkeyFields}
    <button name="action" value="passkey">Sign in with a passkey</button>
  </form>`
}

/** Shows by a passkey in place of the password, in a form that asks for it, that it is them; the script shows it too. */
export function passkeyConfirm(paths: Paths): Html {
  return html`<div
    class="field"
    hidden
    data-passkey="confirm"
    data-options="${apiPath(paths, 'passkey/options')}"
    data-confirm="${apiPath(paths, 'confirm')}"
  >
    <button type="button">Use a passkey instead of the password</button>
    <p class="wrong" role="alert" hidden data-says></p>
    <p role="status" hidden data-done>It is you. Go on within ten minutes.</p>
  </div>`
}

/** What a form brings of an authenticator. */
export function broughtIn(form: URLSearchParams): { ticket: string; answer: string } {
  return { ticket: form.get('ticket') ?? '', answer: form.get('answer') ?? '' }
}
