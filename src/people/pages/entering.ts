import type { Refusal } from '#src/core/errors.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View, Visitor } from '#src/core/html/view.ts'
import type { SessionChange } from '#src/core/admission/session.ts'
import { emailAtMost, passwordAtLeast, passwordAtMost } from '../person.ts'
import { told, type Terms } from './asking.ts'
import { field, problemOfAll, problemsOf, sayingOf, waitOf, type Problems } from './fields.ts'

/** How somebody comes in: as who they are already, or newly. */
export type Way = 'sign_in' | 'register'

/** A form to come in by, as it was filled in and with what was wrong with it. */
export interface Entry {
  way: Way
  email?: string
  problems?: Problems
  /** Of the page that shows it; by default 200. */
  status?: number
  retryAfterSeconds?: number | undefined
}

/** Where the other form is, what goes with this one, and whether the page is about something else. */
interface EntryPlace {
  otherWay: string
  hidden?: Html
  isPart?: boolean
}

/** The form to come in by. */
export function entryForm(entry: Entry, { otherWay, hidden, isPart }: EntryPlace): Html {
  const { way, email = '', problems = {} } = entry
  const isNew = way === 'register'
  const other = isNew
    ? html`Registered before? <a href="${otherWay}">Sign in</a>`
    : html`New here? <a href="${otherWay}">Register</a>`
  const name = isNew ? 'Register' : 'Sign in'
  return html`<section class="card" aria-label="${name}">
    ${isPart && html`<h2>${name}</h2>`}
    <form method="post" novalidate>
      ${problemOfAll(problems)}${hidden}
      ${field({
        name: 'email',
        label: 'E-mail address',
        attributes: html`type="email" autocomplete="username" autocapitalize="none"
        spellcheck="false" maxlength="${emailAtMost}" required`,
        value: email,
        problems,
      })}
      ${field({
        name: 'password',
        label: 'Password',
        attributes: html`type="password"
        autocomplete="${isNew ? 'new-password' : 'current-password'}" required`,
        hint: isNew ? passwordRule : undefined,
        problems,
      })}
      <button class="main" name="action" value="${way}">${name}</button>
    </form>
    <p>${other}</p>
  </section>`
}

const passwordRule = `At least ${passwordAtLeast} characters: a few words in a row do well.`

const words: Readonly<Record<Way, Problems>> = {
  register: {
    email: 'Enter your e-mail address, such as ada@example.org.',
    password: `Choose a password of ${passwordAtLeast} to ${passwordAtMost} characters.`,
  },
  sign_in: {
    email: 'Enter the e-mail address that you have registered with.',
    password: 'Enter your password.',
  },
}

/** The way that a form or an address names; undefined for any other. */
export function wayIn(text: string | null): Way | undefined {
  return text === 'sign_in' || text === 'register' ? text : undefined
}

/** Comes in as the form says: with what the browser is to keep, or the form again. */
export async function entered(
  terms: Terms,
  way: Way,
  form: URLSearchParams,
  visitor: Visitor,
): Promise<{ session: SessionChange | undefined } | Entry> {
  const email = form.get('email') ?? ''
  const name = way === 'register' ? 'auth.register' : 'auth.login'
  const input = { email, password: form.get('password') ?? '' }
  const { refusal, ...answer } = await told(terms, name, input, { visitor })
  if (!refusal) return { session: 'session' in answer ? answer.session : undefined }
  return { way, email, ...refusedEntry(refusal, way) }
}

function refusedEntry(refusal: Refusal, way: Way): Omit<Entry, 'way' | 'email'> {
  const { code, kind, status } = refusal
  if (code === 'email_taken') {
    const email = 'This address is registered already: sign in with it, or use another.'
    return { status, problems: { email } }
  }
  if (code === 'login_failed') {
    // There is nothing that the browser itself could sign in by, as 401 would say.
    const password = 'The address and the password do not belong together.'
    return { status: 422, problems: { password } }
  }
  if (kind === 'invalid') return { status, problems: problemsOf(refusal, words[way]) }
  return { status, ...waitOf(refusal), problems: { '': sayingOf(refusal) } }
}

/** The head of a view that shows the form. */
export function entryStatus({ status = 200, retryAfterSeconds }: Entry): Partial<View> & {
  status: number
} {
  return { status, retryAfterSeconds }
}
