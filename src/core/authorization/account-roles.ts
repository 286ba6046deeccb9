import type { Documents } from '#src/ports/documents.ts'
import type { Store } from '#src/ports/store.ts'
import { Refusal } from '../errors.ts'
import { oauthScopes, type OauthScope } from './scopes.ts'

/** What a person may be in an account. */
export const accountRoles = ['owner', 'approver', 'reader'] as const
/** One of them. */
export type AccountRole = (typeof accountRoles)[number]

/** What each may do, in the scopes that connected programs are given too. */
const allowed: Readonly<Record<AccountRole, readonly OauthScope[]>> = {
  owner: oauthScopes,
  approver: ['read', 'approve'],
  reader: ['read'],
}

/** Whether a role may do what has this scope. */
export function allows(role: AccountRole, scope: OauthScope): boolean {
  return allowed[role].includes(scope)
}

/** The id of a person's membership in an account. */
export function membershipId(accountId: string, personId: string): string {
  return `${accountId}/${personId}`
}

/** What a person is in an account now: who holds it is an owner, and everyone else is what their membership says. */
export async function roleIn(
  { memberships }: Pick<Store, 'memberships'>,
  account: Documents['accounts'] | undefined,
  personId: string,
): Promise<AccountRole | undefined> {
  if (!account || account.holder_id === null || account.closed_at !== undefined) return undefined
  if (account.holder_id === personId) return 'owner'
  return (await memberships.get(membershipId(account.id, personId)))?.role
}

/** Whether a person is an owner of an account now. */
export async function isOwnerOf(
  store: Pick<Store, 'accounts' | 'memberships'>,
  accountId: string,
  personId: string,
): Promise<boolean> {
  return (await roleIn(store, await store.accounts.get(accountId), personId)) === 'owner'
}

/** The persons who have one of these roles in an account now; by default its owners. */
export async function personsWith(
  { accounts, memberships }: Pick<Store, 'accounts' | 'memberships'>,
  accountId: string,
  roles: readonly AccountRole[] = ['owner'],
): Promise<Set<string>> {
  const account = await accounts.get(accountId)
  const held = account?.holder_id ?? null
  if (held === null || account?.closed_at !== undefined) return new Set()
  const filter = { account_id: accountId, role: { $in: [...roles] } }
  const others = await memberships.pick(['person_id'], filter)
  return new Set([held, ...others.map(([id]) => String(id))])
}

/** The refusal of a person whose role is too little. @param doing what they may not do, after "may" */
export function roleNeeded(
  role: AccountRole,
  needed: readonly AccountRole[],
  doing: string,
): Refusal {
  const who = needed.map(named).join(' or ')
  return new Refusal(
    'role_needed',
    `Only ${who} of the account may ${doing}; you are ${named(role)} of it.`,
    {
      hint: 'One of its owners does it, or gives you that role: <account.members.list> names them.',
      members: { role, roles_needed: [...needed] },
    },
  )
}

function named(role: AccountRole): string {
  return `${role === 'reader' ? 'a' : 'an'} ${role}`
}

/** The roles that may do what has this scope. */
export function rolesWith(scope: OauthScope): AccountRole[] {
  return accountRoles.filter((role) => allows(role, scope))
}
