import { pageOperations } from '#src/catalog/pages.ts'
import { joinPreviewOf } from '#src/accounts/members/preview.ts'
import { openSignUp } from '#src/core/admission/sign-up-mode.ts'
import type { Code } from '#src/core/errors.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import { isSignedOut, told, whoIs, type Terms } from '../ask.ts'
import { entered, wayIn, waysTo, type Entry } from '../entry/entry.ts'
import { closedView, memberView, openView, othersView } from './join-views.ts'

/** Refusals for which the page itself shows the current state of the link. */
const shown: readonly Code[] = [
  'invitation_not_found',
  'invitation_used',
  'invitation_void',
  'invitation_not_yours',
  'already_member',
]

/** The page of an invitation into an account. Opening it changes nothing. */
export function joinScreen(terms: Terms, code: string): Screen {
  const { paths, store, clock, signUp } = terms
  const here = paths.join(code)

  /** The page in its current state, with the filled-in form if no one is signed in. */
  const viewNow = async (visitor: Visitor, entry: Entry): Promise<View> => {
    const me = await whoIs(terms, visitor)
    const preview = await joinPreviewOf(store, code, me?.person.id, clock.now())
    if (!preview) return closedView(terms.paths, undefined, me)
    if (preview.role !== undefined) return memberView(paths, preview)
    if (preview.state !== 'open') return closedView(paths, preview, me)
    if (me && !preview.isTheirs) return othersView(paths, code, me)
    // All who are invited may register.
    const ways = waysTo(terms, here, signUp.mode === 'open' ? undefined : code)
    return openView({ paths, code, ways, preview, signUp: openSignUp }, me ?? entry)
  }

  const goingTo = async (accountId: string, visitor: Visitor): Promise<View | Leave> => {
    const input = { account_id: accountId }
    const { refusal } = await told(terms, pageOperations.sessions.choose, input, { visitor })
    if (!refusal) return { goTo: paths.home }
    if (isSignedOut(refusal)) return viewNow(visitor, signedOut)
    throw refusal
  }

  const joined = async (visitor: Visitor): Promise<View | Leave> => {
    const { refusal, ...answer } = await told(
      terms,
      pageOperations.members.join,
      { code },
      { visitor },
    )
    if ('value' in answer) return goingTo(answer.value.account_id, visitor)
    if (!refusal) throw new TypeError('neither answered nor refused')
    if (isSignedOut(refusal)) return viewNow(visitor, signedOut)
    if (shown.includes(refusal.code)) return viewNow(visitor, firstEntry)
    throw refusal
  }

  return {
    show: (query, visitor) => viewNow(visitor, query.has('sign-in') ? signingIn : firstEntry),
    async submit(form, visitor) {
      const action = form.get('action')
      if (action === 'join') return joined(visitor)
      if (action === 'choose') return goingTo(form.get('account') ?? '', visitor)
      const way = wayIn(action)
      if (!way) return viewNow(visitor, firstEntry)
      const answer = await entered(terms, way, { form, invitation: code, next: here }, visitor)
      if ('way' in answer) return viewNow({ ...visitor, session: undefined }, answer)
      return { goTo: here, session: answer.session }
    },
  }
}

const firstEntry: Entry = { way: 'register' }
const signingIn: Entry = { way: 'sign_in' }
const signedOut: Entry = {
  way: 'sign_in',
  problems: { '': 'You are not signed in any more. Nothing was done: sign in, and decide again.' },
}
