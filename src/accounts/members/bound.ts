import {
  membershipId,
  roleIn,
  roleNeeded,
  type AccountRole,
} from '#src/core/authorization/account-roles.ts'
import type { PersonCaller } from '#src/core/admission/caller.ts'
import { signedOut } from '#src/core/admission/session-callers.ts'
import { refuse } from '#src/core/errors.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Account } from '../account.ts'

interface Asked {
  store: Pick<Store, 'sessions' | 'accounts' | 'memberships'>
  caller: Pick<PersonCaller, 'accountId' | 'keyId' | 'personId'>
}

/** Who has to be signed in, and what they are about to do, after "may". */
export interface Needed {
  roles: readonly AccountRole[]
  doing: string
}

/**
 * Checks that a person is signed in, and has one of these roles in the account, now.
 * @returns what binds a commit to both
 * @throws Refusal `invalid_credential` for a session that has ended, `forbidden` for an account that the person is a
 * member of no longer, `role_needed`
 */
export async function boundToRole(
  { store, caller }: Asked,
  { roles, doing }: Needed,
): Promise<Write[]> {
  const { personId, accountId, keyId } = caller
  // The caller may have been looked up before either changed.
  const [session, account] = await Promise.all([
    store.sessions.get(keyId),
    store.accounts.get(accountId),
  ])
  if (!session || session.revoked_at !== null) throw signedOut()
  const role = await roleIn(store, account, personId)
  if (!account || role === undefined) {
    return refuse(
      'forbidden',
      `You are no member of the account ${accountId} now. Nothing was done.`,
    )
  }
  if (!roles.includes(role)) throw roleNeeded(role, roles, doing)
  return [whileSignedIn(keyId), asMember(account, personId, role)]
}

/** A write that fails once the session has ended. */
export function whileSignedIn(sessionId: string): Write {
  return {
    in: 'sessions',
    update: { id: sessionId, revoked_at: null },
    change: { $set: { revoked_at: null } },
  }
}

/** A write that fails unless the person still has this role in the account. */
export function asMember(account: Account, personId: string, role: AccountRole): Write {
  if (account.holder_id === personId) {
    return {
      in: 'accounts',
      update: { id: account.id, holder_id: personId, closed_at: { $exists: false } },
      change: { $set: { holder_id: personId } },
    }
  }
  const id = membershipId(account.id, personId)
  return { in: 'memberships', update: { id, role }, change: { $set: { role } } }
}
