import { securityOperations } from '#src/catalog/security-pages.ts'
import type { Leave } from '#src/core/html/view.ts'
import { isSignedOut, told } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import { broughtIn } from '../entry/passkey.ts'
import { problemsOf, sayingOf, waitOf } from '../fields.ts'
import { confirmed, place, type Again } from './factor.ts'
import { deletionView } from './passkey-views.ts'

const { passkeys } = securityOperations

/** Adds the passkey that the device has made. */
export async function passkeyAdded(
  { terms, visitor }: Looking,
  form: URLSearchParams,
  again: Again,
): Promise<ConsoleView | Leave> {
  const input = { ...broughtIn(form), name: form.get('passkey_name') ?? '' }
  const { refusal } = await told(terms, passkeys.create, input, { visitor })
  if (!refusal) return { goTo: terms.paths.own('security', 'passkey') }
  const { name, ...others } = problemsOf(refusal, {
    name: 'Enter a name of 1 to 200 visible characters.',
  })
  return again(refusal, name === undefined ? others : { ...others, passkey_name: name })
}

/** Deletes one, for who has shown a moment ago that it is them, or shows it now. */
export async function passkeyDeleted(
  looking: Looking,
  form: URLSearchParams,
): Promise<ConsoleView | Leave> {
  const { terms, visitor } = looking
  const id = form.get('passkey_id') ?? ''
  const again: Again = (refusal, problems) => {
    if (isSignedOut(refusal)) throw refusal
    const isFirst = refusal.code === 'confirmation_needed' && !form.has('own_password')
    const status = isFirst ? 200 : refusal.code === 'login_failed' ? 422 : refusal.status
    const view = deletionView(looking, { id, problems: isFirst ? {} : problems })
    return Promise.resolve({ ...view, ...place, status, ...waitOf(refusal) })
  }
  const wrong = await confirmed(looking, form, again)
  if (wrong) return wrong
  const { refusal } = await told(terms, passkeys.remove, { passkey_id: id }, { visitor })
  if (!refusal || refusal.code === 'passkey_not_found') {
    return { goTo: terms.paths.own('security', 'passkey_gone') }
  }
  if (refusal.code !== 'confirmation_needed') return again(refusal, { '': sayingOf(refusal) })
  return again(refusal, { own_password: 'Enter your password, or use a passkey.' })
}
