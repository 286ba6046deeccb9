import type { SecondFactor } from '#src/accounts/factor/factor.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { View } from '#src/core/html/view.ts'
import type { Looking } from '../console/reader.ts'
import { datedTimeOf } from '#src/views/moments.ts'
import { codeField, passwordField } from '../entry/credential-fields.ts'
import { passkeyConfirm } from '../entry/passkey.ts'
import { problemOfAll, type Problems } from '../fields.ts'

/** How the second factor stands, with what changes it for who shows again that it is them. */
export function factorPart(
  { at, terms: { paths } }: Looking,
  factor: SecondFactor,
  { problems, hasPasskey }: { problems: Problems; hasPasskey: boolean },
): Html {
  const password = html`${passwordField(problems, 'Your password', 'own_password')}
  ${hasPasskey && passkeyConfirm(paths)}`
  if (!factor.enabled) {
    return html`<form method="post" novalidate class="card" aria-label="Second factor">
      <p>
        Signing in asks for your password alone. With an app that makes codes, someone who knows the
        password still does not come in.
      </p>
      ${password}<button name="action" value="begin_factor">Set up codes…</button>
    </form>`
  }
  return html`<form method="post" novalidate class="card" aria-label="Second factor">
    <p>
      Signing in by password asks for a code too, since ${datedTimeOf(factor.enabled_at ?? '', at)}.
      You have ${count(factor.recovery_codes_left, 'recovery code')} left.
    </p>
    ${password}
    <div class="actions">
      <button name="action" value="renew_codes">New recovery codes</button>
      <button class="bad" name="action" value="disable_factor">Ask for no code</button>
    </div>
  </form>`
}

/** The page with the secret, which asks for the first code. */
export function beginningView(
  { terms: { paths } }: Looking,
  { picture, secret, problems }: { picture?: Html; secret?: string; problems: Problems },
): View {
  const main = html`${
      secret !== undefined &&
      html`<p>Read this with the app on your telephone, or type the secret into it.</p>
        <div class="card">
          ${picture}
          <p><code>${secret.match(/.{1,4}/g)?.join(' ')}</code></p>
        </div>`
    }
    <form method="post" novalidate class="card">
      ${problemOfAll(problems)} ${codeField(problems, 'The code that the app shows now')}
      <p class="soft">Every other browser in which you are signed in is signed out then.</p>
      <button class="main" name="action" value="enable_factor">Ask for codes from now on</button>
    </form>
    <p><a href="${paths.own('security')}">Leave it as it is</a></p>`
  return { status: 200, title: 'Set up codes', main }
}

/** The only page that shows the recovery codes. */
export function recoveryView({ terms: { paths } }: Looking, codes: readonly string[]): View {
  const main = html`<p class="wrong" role="status">
      Keep these codes where you find them without your telephone. They are not shown again.
    </p>
    <p>Each signs in once, in place of a code of the app.</p>
    <ul class="card">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <div class="actions">
      <a class="button main" href="${paths.own('security')}">I have kept them</a>
    </div>`
  return { status: 200, title: 'Your recovery codes', main }
}
