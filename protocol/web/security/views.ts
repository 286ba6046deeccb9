import type { SecondFactor } from '#src/accounts/factor/factor.ts'
import type { Passkey } from '#src/accounts/passkeys/passkey.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { part } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { newPasswordField, passwordField } from '../entry/credential-fields.ts'
import { factorPart } from './factor-views.ts'
import { passkeyPart } from './passkey-views.ts'
import { problemOfAll, type Problems } from '../fields.ts'

/** How a person signs in, and what was wrong with a form. */
interface SecurityPage {
  hasPassword: boolean
  hasMail: boolean
  factor: SecondFactor
  passkeys: readonly Passkey[]
  /** The name of a passkey that was typed. */
  typed: string | undefined
  problems: Problems
  done: string | undefined
}

/** The page of how a person signs in. */
export function securityView(looking: Looking, page: SecurityPage): View {
  const { done, problems, hasPassword, passkeys, typed } = page
  const { paths } = looking.terms
  const main = html`${done !== undefined && html`<p class="card" role="status">${done}</p>`}
    ${problemOfAll(problems)}
    <p><a href="${paths.settings()}">All settings</a></p>
    ${part('E-mail address', 'address', addressOf(looking, page))}
    ${part('Password', 'password-title', hasPassword ? passwordForm(problems) : noPassword)}
    ${hasPassword && part('Passkeys', 'passkeys', passkeyPart(looking, passkeys, { problems, typed }))}
    ${hasPassword && part('Second factor', 'factor', factorPart(looking, page.factor, { problems, hasPasskey: passkeys.length > 0 }))}`
  return { status: 200, title: 'How you sign in', main, asksDevices: hasPassword }
}

const noPassword = html`<p class="card">
  You have no password: you sign in by another service, which looks after it.
</p>`

function addressOf({ me: { person } }: Looking, { hasMail, hasPassword }: SecurityPage): Html {
  const { email, email_verified } = person
  return html`<div class="card">
    <p>
      <bdi>${email}</bdi>,
      ${email_verified ? 'verified' : 'not verified: no one has shown yet that it is yours'}.
    </p>
    ${
      !email_verified &&
      hasMail &&
      hasPassword &&
      html`<form method="post">
        <button name="action" value="send_verification">Send me a link that verifies it</button>
      </form>`
    }
  </div>`
}

function passwordForm(problems: Problems): Html {
  return html`<form method="post" novalidate class="card" aria-label="Change your password">
    <p class="soft">Every other browser in which you are signed in is signed out then.</p>
    ${passwordField(problems, 'Present password')}
    ${newPasswordField('New password', problems, 'new_password')}
    <button class="main" name="action" value="change_password">Change it</button>
  </form>`
}
