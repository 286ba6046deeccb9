import type { KeyCaller } from '#src/core/admission/caller.ts'
import { signedOut } from '#src/core/admission/session-callers.ts'
import { refuse } from '#src/core/errors.ts'
import type { Settings } from '#src/core/settings.ts'
import { call } from '#src/core/words/reference.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Account } from './account.ts'
import { noticeTo } from './notice.ts'

/** What an account leaves to persons. */
export interface AccountPolicy {
  approvals_need_person: boolean
  key_spend_cents_a_day: number | null
}

/** The policy of an account; off where it has none. */
export function policyOf(account: Account | undefined): AccountPolicy {
  return {
    approvals_need_person: account?.approvals_need_person ?? false,
    key_spend_cents_a_day: account?.key_spend_cents_a_day ?? null,
  }
}

/** The members that differ. */
export function policyChanged(before: AccountPolicy, after: AccountPolicy): string[] {
  return [
    ...(before.approvals_need_person === after.approvals_need_person
      ? []
      : ['approvals_need_person']),
    ...(before.key_spend_cents_a_day === after.key_spend_cents_a_day
      ? []
      : ['key_spend_cents_a_day']),
  ]
}

/** Whether keys may do more by the second one: no key may bring that about. */
export function isLoosened(before: AccountPolicy, after: AccountPolicy): boolean {
  if (before.approvals_need_person && !after.approvals_need_person) return true
  const [was, is] = [before.key_spend_cents_a_day, after.key_spend_cents_a_day]
  return was !== null && (is === null || is > was)
}

interface Asked {
  store: Pick<Store, 'sessions' | 'accounts'>
  caller: KeyCaller
}

/**
 * Admits a caller only as a person who is signed in and holds the account now.
 * @returns what binds a commit to both
 * @throws what `otherwise` does for any key; Refusal `invalid_credential` for a session that has ended, `forbidden`
 * for an account that the person holds no longer
 */
export async function boundToHolder(
  { store, caller }: Asked,
  otherwise: () => never,
): Promise<Write[]> {
  const { personId, accountId, keyId } = caller
  if (personId === undefined) return otherwise()
  // The caller may have been looked up before either changed.
  const [session, account] = await Promise.all([
    store.sessions.get(keyId),
    store.accounts.get(accountId),
  ])
  if (!session || session.revoked_at !== null) throw signedOut()
  const isHeld = account?.holder_id === personId && account.closed_at === undefined
  if (!isHeld) {
    return refuse('forbidden', `You no longer hold the account ${accountId}. Nothing was done.`)
  }
  return [
    {
      in: 'sessions',
      update: { id: keyId, revoked_at: null },
      change: { $set: { revoked_at: null } },
    },
    {
      in: 'accounts',
      update: { id: accountId, holder_id: personId, closed_at: { $exists: false } },
      change: { $set: { holder_id: personId } },
    },
  ]
}

/** @throws Refusal `person_needed` where a key would let keys do more */
export function onlyPersonLoosens({ publicUrl }: Pick<Settings, 'publicUrl'>): never {
  return refuse(
    'person_needed',
    'Only a signed-in person may let the keys of the account do more.',
    {
      hint: `A person who holds the account does it at ${publicUrl}/settings.`,
    },
  )
}

/** The notice of a changed policy. */
export function policyNotice(accountId: string, changed: readonly string[], now: Date): Write {
  const message = `What the account leaves to persons was changed: ${changed.join(', ')}. ${call('account.audit')} says who did it.`
  return noticeTo(accountId, 'policy.changed', message, {}, now)
}
