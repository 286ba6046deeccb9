import type { Account } from '../account.ts'
import { roleIn, type AccountRole } from '#src/core/authorization/account-roles.ts'
import type { Store } from '#src/ports/store.ts'
import { invitedBy, isFor, voidWords, type StoredMemberInvitation } from './invitation.ts'
import { addressesOf } from './who.ts'

/** The state of an invitation into an account, for who looks at its link. */
export interface JoinPreview {
  /** Void: it has expired, or who made it is no owner any more. */
  state: 'open' | 'used' | 'void'
  /** Why it is void. */
  why: string | undefined
  account: Pick<Account, 'id' | 'name'>
  invitation: Pick<StoredMemberInvitation, 'role' | 'expires_at'>
  /** The address of the person who made it; undefined if they are gone. */
  by: string | undefined
  /** What the person who looks is in the account. */
  role: AccountRole | undefined
  /** Whether it is for that person; true of a stranger. */
  isTheirs: boolean
}

type Needed = Pick<Store, 'member_invitations' | 'accounts' | 'memberships' | 'persons'>

/** What the link with this code is for; undefined for an unknown code. Changes nothing. */
export async function joinPreviewOf(
  store: Needed,
  code: string,
  personId: string | undefined,
  now: Date,
): Promise<JoinPreview | undefined> {
  const found = await invitedBy(store, code)
  if (!found) return undefined
  const { invitation, account } = found
  const { role, expires_at, invited_by, used_at } = invitation
  const [why, by, person] = await Promise.all([
    voidWords(store, found, now),
    addressesOf(store, [invited_by]),
    personId === undefined ? undefined : store.persons.get(personId),
  ])
  return {
    state: used_at !== null ? 'used' : why === undefined ? 'open' : 'void',
    why,
    account: { id: account.id, name: account.name },
    invitation: { role, expires_at },
    by: by.get(invited_by),
    role: person && (await roleIn(store, account, person.id)),
    isTheirs: person === undefined || isFor(invitation, person),
  }
}
