import { leavingOperations } from '#src/catalog/departure-pages.ts'
import { holdingsOf } from '#src/accounts/people/holdings.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import { nameToType } from '#src/departures/delete-account.ts'
import { isSignedOut, told, type Terms } from '../ask.ts'
import { comeBack } from '../console/come-back.ts'
import { framed } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import { sayingOf, waitOf, type Problems } from '../fields.ts'
import { leaveView, memberView } from './leave-views.ts'
import { lookingAtAccount } from './look-at.ts'

/** The page on which an owner takes everything along and deletes the account, and a member learns how to leave it. */
export function leaveScreen(terms: Terms): Screen {
  const { paths } = terms
  return {
    async show(query, visitor): Promise<View | Leave> {
      const looking = await lookingAtAccount(terms, query, visitor)
      const account = query.get('account') ?? undefined
      if (!looking) return { goTo: paths.signInFor(paths.leave(account)) }
      return 'me' in looking ? shown(terms, looking) : looking
    },
    async submit(form, visitor): Promise<View | Leave> {
      const looking = await lookingAtAccount(terms, form, visitor)
      const here = paths.leave(form.get('account') ?? undefined)
      const goOn = (from: Visitor) => comeBack(terms, here, form, from)
      if (!looking) return goOn(visitor)
      if (!('me' in looking)) return looking
      if (form.get('action') !== 'delete') return shown(terms, looking)
      try {
        return await deleted(terms, looking, form)
      } catch (cause) {
        if (!(cause instanceof Refusal && isSignedOut(cause))) throw cause
        return goOn({ ...visitor, session: undefined })
      }
    },
  }
}

async function shown(
  { store }: Terms,
  looking: Looking,
  sent: { confirm?: string; problems?: Problems } = {},
  answer: Partial<View> = {},
): Promise<View> {
  const { account, me } = looking
  const place = { place: 'settings', isForAll: true } as const
  if (account.role !== 'owner') return framed(looking, { ...memberView(looking), ...place })
  const [kept, holdings, person, passkeys] = await Promise.all([
    store.accounts.get(account.id),
    holdingsOf(store, account.id),
    store.persons.get(me.person.id),
    store.passkeys.count({ person_id: me.person.id }),
  ])
  const called = nameToType(kept ?? account, account.own ? me.person.email : undefined)
  const hasPassword = person?.password != null
  const page = { called, holdings, hasPassword, hasPasskey: passkeys > 0, ...sent }
  return framed(looking, { ...leaveView(looking, page), ...place, ...answer })
}

async function deleted(
  terms: Terms,
  looking: Looking,
  form: URLSearchParams,
): Promise<View | Leave> {
  const { account, as, visitor } = looking
  const confirm = form.get('confirm') ?? ''
  const again = (refusal: Refusal, problems: Problems) =>
    shown(terms, looking, { confirm, problems }, { status: statusOf(refusal), ...waitOf(refusal) })
  const password = form.get('password') ?? ''
  if (password !== '') {
    const { refusal } = await told(terms, leavingOperations.confirm, { password }, { visitor })
    if (refusal?.code === 'login_failed') return again(refusal, { password: refusal.message })
    if (refusal && isSignedOut(refusal)) throw refusal
    if (refusal) return again(refusal, { '': sayingOf(refusal) })
  }
  const input = { confirm, waive_balance: form.get('waive_balance') === 'true' }
  const answer = await told(terms, leavingOperations.delete, input, as)
  const { refusal } = answer
  if (!refusal) {
    const { paths } = terms
    return { goTo: account.own ? paths.front : paths.settings(), session: answer.session }
  }
  if (isSignedOut(refusal)) throw refusal
  return again(refusal, problemsOf(refusal))
}

function problemsOf(refusal: Refusal): Problems {
  const { code } = refusal
  if (code === 'invalid_input') return { confirm: 'Type it exactly as it is shown.' }
  if (code === 'wallet_not_empty') return { waive_balance: 'Say first that you give the money up.' }
  if (code === 'confirmation_needed') return { password: 'Enter your password, or sign in again.' }
  return { '': sayingOf(refusal) }
}

/** A 401 would name a method by which the browser itself could sign in; there is none. */
function statusOf({ code, status }: Refusal): number {
  return code === 'login_failed' ? 422 : status
}
