import { Refusal } from '#src/core/errors.ts'
import { html } from '#src/core/html/html.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import type { Showing } from '#src/views/view.ts'
import { openApprovals } from '#src/runs/overview/needs.ts'
import { accountOf, isSignedOut, whoIs, type HeldAccount, type Me, type Terms } from '../ask.ts'
import { sayingOf } from '../fields.ts'
import { framed, type ConsoleView } from './frame.ts'
import { comeBack, typedIn } from './come-back.ts'

/** A person who looks after an account. */
export interface Looking {
  terms: Terms
  me: Me
  account: HeldAccount
  visitor: Visitor
  /** As whom operations are asked. */
  as: { visitor: Visitor; accountId: string }
  /** How many approvals are open. */
  needs: number
  /** By whose clocks times are shown. */
  at: Pick<Showing, 'now' | 'zone'>
}

/** A page of the console at one path. */
export interface ConsoleScreen {
  /** Its own path, to which a person who signs in comes back. */
  here: string
  /** @param typed what was typed into its form before the session ended */
  show: (
    query: URLSearchParams,
    looking: Looking,
    typed?: URLSearchParams,
  ) => Promise<ConsoleView | Leave>
  submit?: (form: URLSearchParams, looking: Looking) => Promise<ConsoleView | Leave>
  formBytesAtMost?: number
}

/**
 * The page for whoever is signed in. Others sign in first, and come back with what they have typed; what is
 * not there, or not theirs, is told in the same words.
 */
export function consoleScreen(terms: Terms, page: ConsoleScreen): Screen {
  const { here, show, submit, formBytesAtMost } = page
  const shown = async (looking: Looking, view: Promise<ConsoleView | Leave>) => {
    const answer = await view.catch((cause: unknown) => refusedView(cause))
    return 'main' in answer ? framed(looking, answer) : answer
  }
  return {
    ...(formBytesAtMost !== undefined && { formBytesAtMost }),
    async show(query, visitor): Promise<View | Leave> {
      const looking = await lookingAt(terms, visitor)
      const path = query.size === 0 ? here : `${here}?${query.toString()}`
      if (!looking) return { goTo: terms.paths.signInFor(path) }
      return shown(looking, show(query, looking))
    },
    ...(submit && {
      async submit(form, visitor): Promise<View | Leave> {
        const looking = await lookingAt(terms, visitor)
        if (!looking) return comeBack(terms, here, form, visitor)
        const typed = typedIn(form)
        if (typed) return shown(looking, show(new URLSearchParams(), looking, typed))
        try {
          return await shown(looking, submit(form, looking))
        } catch (cause) {
          if (!(cause instanceof Refusal && isSignedOut(cause))) throw cause
          return comeBack(terms, here, form, { ...visitor, session: undefined })
        }
      },
    }),
  }
}

/** The person who is signed in and the account that they act for; undefined for a stranger. */
export async function lookingAt(terms: Terms, visitor: Visitor): Promise<Looking | undefined> {
  const me = await whoIs(terms, visitor)
  if (!me) return undefined
  const account = await accountOf(terms, me)
  const { count } = await openApprovals(terms.store, account.id)
  const at = { now: terms.clock.now().getTime(), zone: visitor.zone }
  const as = { visitor, accountId: account.id }
  return { terms, me, account, visitor, as, needs: count, at }
}

const notFound = 404

/** A refusal as a page. @throws whatever is no refusal of this request */
function refusedView(cause: unknown): ConsoleView {
  if (!(cause instanceof Refusal) || isSignedOut(cause)) throw cause
  const isAbsent = cause.status === notFound || cause.code === 'forbidden'
  const title = isAbsent ? 'There is nothing here' : 'That did not work'
  const main = html`<p>
    ${isAbsent ? 'It is not there any more, or it is not of this account.' : sayingOf(cause)}
  </p>`
  const { retryAfterSeconds } = cause
  return {
    status: isAbsent ? notFound : cause.status,
    title,
    main,
    place: 'today',
    retryAfterSeconds,
  }
}
