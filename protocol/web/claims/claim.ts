import { pageOperations } from '#src/catalog/pages.ts'
import type { Code } from '#src/core/errors.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import { holdingsOf } from '#src/accounts/people/holdings.ts'
import { previewOf } from '#src/accounts/people/preview.ts'
import { isSignedOut, told, whoIs, type Terms } from '../ask.ts'
import { closedView, openView, ownView, rejectingView } from './claim-views.ts'
import { entered, wayIn, waysTo, type Entry } from '../entry/entry.ts'

/** Refusals for which the page itself shows the current state of the link. */
const shown: readonly Code[] = [
  'claim_not_found',
  'already_claimed',
  'claim_expired',
  'claim_rejected',
]

/** The page of a claim link. Opening it changes nothing. */
export function claimScreen(terms: Terms, code: string): Screen {
  const { paths, store, clock, signUp } = terms
  const first = signUp.mode === 'closed' ? signingIn : firstEntry

  /** The page in its current state, with the filled-in form if no one is signed in. */
  const viewNow = async (
    visitor: Visitor,
    entry: Entry,
    { rejecting = false } = {},
  ): Promise<View> => {
    const me = await whoIs(terms, visitor)
    const preview = await previewOf(store, code, clock.now())
    if (!preview) return closedView(paths, code, 'unknown', me)
    const { state, account } = preview
    const isOwn = state === 'claimed' && me !== undefined && account.holder_id === me.person.id
    if (state !== 'open' && !isOwn) return closedView(paths, code, state, me)
    const ways = waysTo(terms, paths.claim(code), signUp.mode === 'invited' ? code : undefined)
    const claim = {
      paths,
      code,
      signUp,
      ways,
      preview,
      holdings: await holdingsOf(store, account.id),
    }
    if (isOwn) return ownView(claim)
    return me && rejecting ? rejectingView(claim) : openView(claim, me ?? entry)
  }

  const decided = async (
    decision: 'complete' | 'reject',
    visitor: Visitor,
  ): Promise<View | Leave> => {
    const { complete, reject } = pageOperations.claim
    const input = { claim_code: code }
    const { refusal } = await (decision === 'complete'
      ? told(terms, complete, input, { visitor })
      : told(terms, reject, input, { visitor }))
    if (!refusal) {
      if (decision === 'complete') await showFromNow(terms, code, visitor)
      return { goTo: paths.claim(code) }
    }
    if (isSignedOut(refusal)) return viewNow(visitor, signedOut)
    if (shown.includes(refusal.code)) return viewNow(visitor, first)
    throw refusal
  }

  return {
    show(query, visitor) {
      const entry = query.has('sign-in') ? signingIn : first
      return viewNow(visitor, entry, { rejecting: query.has('reject') })
    },
    async submit(form, visitor) {
      const action = form.get('action')
      if (action === 'complete' || action === 'reject') return decided(action, visitor)
      const way = wayIn(action)
      if (!way) return viewNow(visitor, first)
      const answer = await entered(terms, way, { form, claimCode: code }, visitor)
      if ('way' in answer) return viewNow({ ...visitor, session: undefined }, answer)
      return { goTo: paths.claim(code), session: answer.session }
    },
  }
}

/** The pages show the account that was taken over; if that fails, the person chooses it there. */
async function showFromNow(terms: Terms, code: string, visitor: Visitor): Promise<void> {
  const preview = await previewOf(terms.store, code, terms.clock.now())
  if (!preview) return
  const chosen = { account_id: preview.account.id }
  await told(terms, pageOperations.sessions.choose, chosen, { visitor })
}

const firstEntry: Entry = { way: 'register' }
const signingIn: Entry = { way: 'sign_in' }
const signedOut: Entry = {
  way: 'sign_in',
  problems: { '': 'You are not signed in any more. Nothing was done: sign in, and decide again.' },
}
