import type { Visitor } from '#src/core/html/view.ts'
import { openApprovals } from '#src/runs/overview/needs.ts'
import type { Showing } from '#src/views/view.ts'
import { accountOf, whoIs, type HeldAccount, type Me, type Terms } from '../ask.ts'

/** A person who looks after an account. */
export interface Looking {
  terms: Terms
  me: Me
  account: HeldAccount
  visitor: Visitor
  /** Whether they are no member any more of the account that they had chosen. */
  isLost: boolean
  /** As whom operations are asked. */
  as: { visitor: Visitor; accountId: string }
  /** How many approvals are open. */
  needs: number
  /** By whose clocks times are shown. */
  at: Pick<Showing, 'now' | 'zone'>
}

/** The person who is signed in and the account that they act for; undefined for a stranger. */
export async function lookingAt(terms: Terms, visitor: Visitor): Promise<Looking | undefined> {
  const me = await whoIs(terms, visitor)
  return me && lookingAs(terms, visitor, me)
}

/** The same of a person who is known. @param isNamed whether the request names the account */
export async function lookingAs(
  terms: Terms,
  visitor: Visitor,
  me: Me,
  isNamed = false,
): Promise<Looking> {
  const account = await accountOf(terms, me)
  const { account_id: chosen } = me.session
  const isLost = !isNamed && chosen !== null && chosen !== account.id
  const { count } = await openApprovals(terms.store, account.id)
  const at = { now: terms.clock.now().getTime(), zone: visitor.zone }
  const as = { visitor, accountId: account.id }
  return { terms, me, account, isLost, visitor, as, needs: count, at }
}
