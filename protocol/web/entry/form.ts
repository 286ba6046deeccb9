import { html, type Html } from '#src/core/html/html.ts'
import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import { whomToAsk } from '#src/core/admission/sign-up.ts'
import { field, problemOfAll } from '../fields.ts'
import { codeField, emailField, newPasswordField, passwordField } from './credential-fields.ts'
import type { Entry, Ways } from './entry.ts'
import { passkeyForm } from './passkey.ts'

/** Where the other form is, what this one includes, and whether the page has another subject. */
interface EntryPlace {
  otherWay: string
  hidden?: Html
  isPart?: boolean
  /** Who may register. */
  signUp: SignUp
  /** The page itself, such as that of a claim link, admits those who register here. */
  isInvited?: boolean
  /** By what persons sign in here. */
  ways: Ways
}

/** The form to sign in or register. */
export function entryForm(entry: Entry, place: EntryPlace): Html {
  const { otherWay, hidden, isPart, signUp, isInvited, ways } = place
  const { way, done, email = '', problems = {} } = entry
  if (!ways.passwords) return providersAlone(entry, place)
  if (entry.isMailed) return mailedCard(email)
  if (entry.pending !== undefined) return codeForm(entry, hidden)
  const isNew = way === 'register'
  const name = isNew ? 'Register' : 'Sign in'
  const other = otherForm(isNew, otherWay, signUp)
  if (isNew && signUp.mode === 'closed') return closedForm(other, place)
  return html`<section class="card" aria-label="${name}">
    ${isPart && html`<h2>${name}</h2>`}
    <form method="post" novalidate>
      ${done !== undefined && html`<p class="done" role="status">${done}</p>`}
      ${problemOfAll(problems)}${hidden} ${emailField(email, problems)}
      ${isNew ? newPasswordField('Password', problems) : passwordField(problems)}
      ${
        isNew &&
        signUp.mode === 'invited' &&
        !isInvited &&
        field({
          name: 'invitation',
          label: 'Invitation code',
          attributes: html`type="text" autocomplete="off" autocapitalize="none" spellcheck="false"
          maxlength="200" required`,
          value: entry.invitation,
          hint: `Accounts are given by invitation here. ${whomToAsk(signUp)}`,
          problems,
        })
      }
      <button class="main" name="action" value="${way}">${name}</button>
    </form>
    ${!isNew && passkeyForm(ways.paths, hidden)}${providersOf(ways)}
    ${!isNew && ways.forgot !== undefined && html`<p><a href="${ways.forgot}">Forgot your password?</a></p>`}
    <p>${other}</p>
  </section>`
}

function codeForm({ pending, problems = {} }: Entry, hidden: Html | undefined): Html {
  return html`<section class="card" aria-label="Enter a code">
    <h2>One more step</h2>
    <p role="status">Your password is right. Enter the code that your app shows now.</p>
    <form method="post" novalidate>
      ${problemOfAll(problems)}${hidden}
      <input type="hidden" name="pending" value="${pending}" />
      ${codeField(problems, 'Code of the app, or a recovery code')}
      <button class="main" name="action" value="second_factor">Sign in</button>
    </form>
  </section>`
}

function mailedCard(email: string): Html {
  return html`<section class="card" aria-label="Look into your mail">
    <h2>Look into your mail</h2>
    <p role="status">
      A mail to <bdi>${email}</bdi> is on its way. The link in it works for a day, once, with the
      password that you have just chosen.
    </p>
    <p>Nothing there after a few minutes? Look among unwanted mail, and check how you spelt it.</p>
  </section>`
}

function otherForm(isNew: boolean, otherWay: string, signUp: SignUp): Html {
  if (isNew) return html`Registered before? <a href="${otherWay}">Sign in</a>`
  if (signUp.mode !== 'closed') return html`New here? <a href="${otherWay}">Register</a>`
  return html`New here? This server gives no new accounts. ${whomToAsk(signUp)}`
}

function closedForm(other: Html, { signUp, isPart, ways }: EntryPlace): Html {
  return html`<section class="card" aria-label="Register">
    ${isPart && html`<h2>Register</h2>`}
    <p>This server gives no new accounts. ${whomToAsk(signUp)}</p>
    ${providersOf(ways)}
    <p>${other}</p>
  </section>`
}

function providersAlone({ problems = {} }: Entry, { isPart, ways }: EntryPlace): Html {
  return html`<section class="card" aria-label="Sign in">
    ${isPart && html`<h2>Sign in</h2>`} ${problemOfAll(problems)}${providersOf(ways)}
  </section>`
}

/** Links, since a browser asks of a form where all of its redirects lead. */
function providersOf({ providers, paths, next, invitation }: Ways): Html | undefined {
  if (providers.length === 0) return undefined
  return html`<div class="actions">
    ${providers.map(
      ({ issuer, name }) =>
        html`<a
          class="button"
          href="${paths.signInWith({ issuer, next, invitation })}"
          rel="nofollow"
          >Sign in with <bdi>${name}</bdi></a
        >`,
    )}
  </div>`
}
