import { securityOperations } from '#src/catalog/security-pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Leave } from '#src/core/html/view.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { passwordWords } from '../entry/credential-fields.ts'
import { problemsOf, sayingOf, waitOf, type Problems } from '../fields.ts'
import {
  codesRenewed,
  confirmed,
  factorBegun,
  factorDisabled,
  factorEnabled,
  type Again,
} from './factor.ts'
import { passkeyAdded, passkeyDeleted } from './passkeys.ts'
import { securityView } from './views.ts'

const dones = new Map([
  ['password', 'Your password is changed, and every other browser is signed out.'],
  ['factor_off', 'Signing in asks for your password alone.'],
  ['passkey', 'The passkey is added: it signs you in without a password.'],
  ['passkey_gone', 'The passkey is deleted.'],
  ['verified', 'Your address is verified already.'],
  ['mailed', 'A mail is on its way: follow its link within a day.'],
])

/** The page of how a person signs in. */
export function securityScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.own('security')
  return {
    here,
    isOfPerson: true,
    show: (query, looking) => shown(looking, {}, { done: dones.get(query.get('done') ?? '') }),
    async submit(form, looking) {
      const action = form.get('action')
      if (action === 'send_verification') return verification(looking)
      if (action === 'change_password') return password(looking, form)
      if (action === 'enable_factor') return factorEnabled(looking, form)
      const typed = form.get('passkey_name') ?? undefined
      const again: Again = (refusal, problems) => refused(looking, refusal, problems, typed)
      if (action === 'create_passkey') return passkeyAdded(looking, form, again)
      if (action === 'delete_passkey') return passkeyDeleted(looking, form)
      const change = factorChanges.get(action ?? '')
      if (!change) return { goTo: here }
      return (await confirmed(looking, form, again)) ?? change(looking, again)
    },
  }
}

type Change = (looking: Looking, again: Again) => Promise<ConsoleView | Leave>

const factorChanges: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['begin_factor', factorBegun],
  ['renew_codes', codesRenewed],
  ['disable_factor', factorDisabled],
])

async function shown(
  looking: Looking,
  problems: Problems,
  { done, typed }: { done?: string | undefined; typed?: string | undefined } = {},
): Promise<ConsoleView> {
  const { terms, me, visitor } = looking
  const factor = await answered(terms, securityOperations.factor.get, {}, { visitor })
  const { items: passkeys } = await answered(
    terms,
    securityOperations.passkeys.list,
    {},
    { visitor },
  )
  const person = await terms.store.persons.get(me.person.id)
  const hasPassword = person?.password != null && terms.entrance.settings.signIn.passwords
  const page = { hasPassword, hasMail: terms.hasMail, factor, passkeys, problems, done, typed }
  return { ...securityView(looking, page), place: 'settings', isForAll: true }
}

async function refused(looking: Looking, refusal: Refusal, problems: Problems, typed?: string) {
  if (isSignedOut(refusal)) throw refusal
  const status = refusal.code === 'login_failed' ? 422 : refusal.status
  return { ...(await shown(looking, problems, { typed })), status, ...waitOf(refusal) }
}

async function verification(looking: Looking) {
  const { terms, visitor } = looking
  const answer = await told(terms, securityOperations.sendVerification, {}, { visitor })
  const { refusal } = answer
  if (refusal) return refused(looking, refusal, { '': sayingOf(refusal) })
  return { goTo: terms.paths.own('security', answer.value.email_verified ? 'verified' : 'mailed') }
}

async function password(looking: Looking, form: URLSearchParams) {
  const { terms, visitor } = looking
  const input = {
    password: form.get('password') ?? '',
    new_password: form.get('new_password') ?? '',
  }
  const { refusal } = await told(terms, securityOperations.changePassword, input, { visitor })
  if (!refusal) return { goTo: terms.paths.own('security', 'password') }
  if (refusal.code === 'login_failed') {
    return refused(looking, refusal, { password: refusal.message })
  }
  return refused(looking, refusal, problemsOf(refusal, { new_password: passwordWords }))
}
