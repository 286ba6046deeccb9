import { call, claimable } from '#tests/support/rest/call.ts'
import { newEmail, registeredVisitor, type PageVisitor } from './page-visitor.ts'

/** An account that an agent began, and that a person has taken over. */
export interface Claimed {
  visitor: PageVisitor
  /** The address of the person. */
  email: string
  /** The id of the account. */
  account: string
  /** The key of the agent. */
  key: string
}

/** Has a new person take over a new account. @param name what the account is called */
export async function claimedAccount(url: string, name = 'Desk'): Promise<Claimed> {
  const email = newEmail()
  const visitor = await registeredVisitor(url, email)
  return { visitor, email, ...(await claimedBy(visitor, url, name)) }
}

/** The same by a person who is known. */
export async function claimedBy(
  visitor: PageVisitor,
  url: string,
  name = 'Desk',
): Promise<Pick<Claimed, 'account' | 'key'>> {
  const { claim_url, api_key: key } = await claimable(url, name)
  const { status } = await visitor.post(new URL(claim_url).pathname, { action: 'complete' })
  if (status !== 303) throw new Error(`nothing was claimed: ${status}`)
  const { id } = await call<{ id: string }>(url, 'GET', '/api/account', key)
  return { account: id, key }
}
