import { pageOperations } from '#src/catalog/pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View, Visitor } from '#src/core/html/view.ts'
import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import { whomToAsk } from '#src/core/admission/sign-up.ts'
import type { SessionChange } from '#src/core/admission/session.ts'
import type { SignIn } from '#src/core/settings.ts'
import { told, type Terms } from '../ask.ts'
import { field, problemOfAll, problemsOf, sayingOf, waitOf, type Problems } from '../fields.ts'
import type { Paths } from '../paths.ts'
import {
  codeField,
  emailField,
  newPasswordField,
  passwordField,
  passwordWords,
} from './credential-fields.ts'

/** How a person enters: by signing in, by the code that this may still need, or by registering. */
export type Way = 'sign_in' | 'register' | 'second_factor'

/** An entry form, as it was filled in and with what was wrong with it. */
export interface Entry {
  way: Way
  /** The password was right, and this waits for the code. */
  pending?: string
  /** A link was sent to the address: it ends what was begun here. */
  isMailed?: true
  /** What was done before. */
  done?: string
  email?: string
  invitation?: string
  problems?: Problems
  /** The status of the page that shows it; by default 200. */
  status?: number
  retryAfterSeconds?: number | undefined
}

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

/** By what persons sign in, and where each leads. */
export interface Ways extends SignIn {
  paths: Paths
  /** The path to go on to afterwards. */
  next: string | undefined
  /** Where a new password is asked for, if mails are sent here. */
  forgot?: string | undefined
  /** What admits a newcomer. */
  invitation?: string | undefined
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
    ${providersOf(ways)}
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

const words: Readonly<Record<Way, Problems>> = {
  register: {
    email: 'Enter your e-mail address, such as ada@example.org.',
    password: passwordWords,
  },
  sign_in: {
    email: 'Enter the e-mail address that you have registered with.',
    password: 'Enter your password.',
  },
  second_factor: { code: 'Enter the six digits, or a recovery code.' },
}

const ways: readonly Way[] = ['sign_in', 'register', 'second_factor']

/** The way that a form or an address names; undefined for anything else. */
export function wayIn(text: string | null): Way | undefined {
  return ways.find((way) => way === text)
}

/**
 * Signs in or registers with the form: returns what the browser must keep, or the form again.
 * @param claimCode of the claim whose page this is: if registering needs an invitation, its link serves
 *   as one
 * @param invitation into an account, whose page this is: it admits wherever sign-up stands
 */
export async function entered(
  terms: Terms,
  way: Way,
  { form, claimCode, invitation: into, next }: Filled,
  visitor: Visitor,
): Promise<{ session: SessionChange | undefined } | Entry> {
  if (way === 'second_factor') return enteredByCode(terms, form, visitor)
  const email = form.get('email') ?? ''
  const asksFor = way === 'register' && terms.signUp.mode === 'invited'
  const asked = asksFor ? (claimCode ?? form.get('invitation') ?? '') : undefined
  const invitation = way === 'register' ? (into ?? asked) : undefined
  const input = {
    email,
    password: form.get('password') ?? '',
    ...(invitation !== undefined && { invitation }),
  }
  const ofClaim = claimCode === undefined ? undefined : terms.paths.claim(claimCode)
  const goingOn = next ?? ofClaim
  const coming = goingOn === undefined ? input : { ...input, next: goingOn }
  const { register, login } = pageOperations
  const { refusal, ...answer } = await (way === 'register'
    ? told(terms, register, coming, { visitor })
    : told(terms, login, input, { visitor }))
  if ('value' in answer && 'mailed' in answer.value) return { way, email, isMailed: true }
  if (!refusal) return { session: 'session' in answer ? answer.session : undefined }
  const pending = refusal.members?.['pending']
  if (refusal.code === 'second_factor_required' && typeof pending === 'string') {
    return { way, email, pending }
  }
  const ofPage = into ?? claimCode
  const typed = ofPage === undefined && invitation !== undefined ? { invitation } : {}
  if (refusal.code !== 'sign_up_closed') {
    return { way, email, ...typed, ...refusedEntry(refusal, way) }
  }
  if (into !== undefined) {
    return { way, email, status: refusal.status, problems: { '': notAdmitted } }
  }
  const said = claimCode === undefined ? refusal.message : usedLink
  const field = 'invitation' in typed ? 'invitation' : ''
  const problems = { [field]: `${said} ${whomToAsk(terms.signUp)}` }
  return { way, email, ...typed, status: refusal.status, problems }
}

async function enteredByCode(
  terms: Terms,
  form: URLSearchParams,
  visitor: Visitor,
): Promise<{ session: SessionChange | undefined } | Entry> {
  const input = { pending: form.get('pending') ?? '', code: form.get('code') ?? '' }
  const { refusal, ...answer } = await told(terms, pageOperations.passFactor, input, { visitor })
  if (!refusal) return { session: 'session' in answer ? answer.session : undefined }
  const { kind, message, code } = refusal
  const entry: Entry = { way: 'second_factor', pending: input.pending }
  if (code === 'login_failed') return { ...entry, status: 422, problems: { code: message } }
  if (kind === 'invalid') {
    return { ...entry, status: 422, problems: problemsOf(refusal, words.second_factor) }
  }
  return {
    ...entry,
    ...waitOf(refusal),
    status: refusal.status,
    problems: { '': sayingOf(refusal) },
  }
}

/** A form to enter, and the page that it is on. */
interface Filled {
  form: URLSearchParams
  claimCode?: string
  invitation?: string
  /** The path to go on to, where that is only after a mail; of a claim, its page. */
  next?: string | undefined
}

const notAdmitted =
  'This link lets one person register, with the address that it was made for. If that was you before, sign in.'
const usedLink = 'Someone has already registered with this link: sign in with that address.'

function refusedEntry(refusal: Refusal, way: Way): Omit<Entry, 'way' | 'email'> {
  const { code, kind, status } = refusal
  if (code === 'email_taken') {
    const email = 'This address is registered already: sign in with it, or use another.'
    return { status, problems: { email } }
  }
  if (code === 'login_failed') {
    // A 401 would name a method by which the browser itself could sign in; there is none.
    const password = 'The address and the password do not belong together.'
    return { status: 422, problems: { password } }
  }
  if (kind === 'invalid') return { status, problems: problemsOf(refusal, words[way]) }
  return { status, ...waitOf(refusal), problems: { '': sayingOf(refusal) } }
}

/** The status of a view that shows the form. */
export function entryStatus({ status = 200, retryAfterSeconds }: Entry): Partial<View> & {
  status: number
} {
  return { status, retryAfterSeconds }
}

/** By what persons sign in here, to go on to this path. */
export function waysTo(
  { entrance, hasMail, paths }: Terms,
  next: string | undefined,
  invitation?: string,
): Ways {
  const forgot = hasMail ? paths.forgot : undefined
  return { ...entrance.settings.signIn, paths, next, invitation, forgot }
}
