import { pageOperations } from '#src/catalog/pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { View, Visitor } from '#src/core/html/view.ts'
import { whomToAsk } from '#src/core/admission/sign-up.ts'
import type { SessionChange } from '#src/core/admission/session.ts'
import type { SignIn } from '#src/core/settings.ts'
import { told, type Terms } from '../ask.ts'
import { problemsOf, sayingOf, waitOf, type Problems } from '../fields.ts'
import type { Paths } from '../paths.ts'
import { passwordWords } from './credential-fields.ts'
import { broughtIn } from './passkey.ts'

/** How a person enters: by a password, by the code that this may still need, by a passkey, or by registering. */
export type Way = 'sign_in' | 'register' | 'second_factor' | 'passkey'

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
  passkey: {},
}

const ways: readonly Way[] = ['sign_in', 'register', 'second_factor', 'passkey']

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
  if (way === 'passkey') return enteredByPasskey(terms, form, visitor)
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

async function enteredByPasskey(
  terms: Terms,
  form: URLSearchParams,
  visitor: Visitor,
): Promise<{ session: SessionChange | undefined } | Entry> {
  const answer = await told(terms, pageOperations.passkey, broughtIn(form), { visitor })
  const { refusal } = answer
  if (!refusal) return { session: answer.session }
  const status = refusal.code === 'login_failed' ? 422 : refusal.status
  return { way: 'sign_in', status, ...waitOf(refusal), problems: { '': sayingOf(refusal) } }
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

/** What the form asks of the view that shows it. */
export function entryStatus(
  { way, pending, status = 200, retryAfterSeconds }: Entry,
  { passwords }: Pick<Ways, 'passwords'>,
): Partial<View> & { status: number } {
  const asksDevices = passwords && way === 'sign_in' && pending === undefined
  return { status, retryAfterSeconds, asksDevices }
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
