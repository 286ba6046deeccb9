import { securityOperations } from '#src/catalog/security-pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import { isSignedOut, told } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import { problemsOf, sayingOf, waitOf, type Problems } from '../fields.ts'
import { beginningView, recoveryView } from './factor-views.ts'
import { qrOf } from './qr.ts'

const { factor: operations } = securityOperations
/** Where in the console the page is. */
export const place = { place: 'settings', isForAll: true } as const

/** Shows the page again with what was wrong. */
export type Again = (refusal: Refusal, problems: Problems) => Promise<ConsoleView>

/** Shows that it is them, where they gave their password. @returns the page again where it was wrong */
export async function confirmed(
  { terms, visitor }: Looking,
  form: URLSearchParams,
  again: Again,
): Promise<ConsoleView | undefined> {
  const password = form.get('own_password') ?? ''
  if (password === '') return undefined
  const { refusal } = await told(terms, securityOperations.confirm, { password }, { visitor })
  if (!refusal) return undefined
  if (refusal.code === 'login_failed') return again(refusal, { own_password: refusal.message })
  return again(refusal, { '': sayingOf(refusal) })
}

/** Begins with codes: the page with the secret. */
export async function factorBegun(looking: Looking, again: Again): Promise<ConsoleView> {
  const { terms, visitor } = looking
  const answer = await told(terms, operations.begin, {}, { visitor })
  const { refusal } = answer
  if (refusal) return again(refusal, problemsOfCode(refusal))
  const { secret, uri } = answer.value
  return { ...beginningView(looking, { secret, picture: await qrOf(uri), problems: {} }), ...place }
}

/** Ends that with the first code. */
export async function factorEnabled(looking: Looking, form: URLSearchParams): Promise<ConsoleView> {
  const { terms, visitor } = looking
  const input = { code: form.get('code') ?? '' }
  const answer = await told(terms, operations.enable, input, { visitor })
  const { refusal } = answer
  if (!refusal) return { ...recoveryView(looking, answer.value.recovery_codes), ...place }
  if (isSignedOut(refusal)) throw refusal
  const status = refusal.code === 'login_failed' ? 422 : refusal.status
  const view = beginningView(looking, { problems: problemsOfCode(refusal) })
  return { ...view, ...place, status, ...waitOf(refusal) }
}

/** New recovery codes. */
export async function codesRenewed(looking: Looking, again: Again): Promise<ConsoleView> {
  const { terms, visitor } = looking
  const answer = await told(terms, operations.renew, {}, { visitor })
  const { refusal } = answer
  if (refusal) return again(refusal, problemsOfCode(refusal))
  return { ...recoveryView(looking, answer.value.recovery_codes), ...place }
}

/** Ends the asking for codes. */
export async function factorDisabled({ terms, visitor }: Looking, again: Again) {
  const { refusal } = await told(terms, operations.disable, {}, { visitor })
  if (refusal) return again(refusal, problemsOfCode(refusal))
  return { goTo: terms.paths.own('security', 'factor_off') }
}

/** What is said of a refusal, next to the field that it is about. */
export function problemsOfCode(refusal: Refusal): Problems {
  if (refusal.code === 'confirmation_needed') return { own_password: 'Enter your password.' }
  if (refusal.code === 'login_failed') return { code: refusal.message }
  return problemsOf(refusal, { code: 'Enter the six digits, or a recovery code.' })
}
