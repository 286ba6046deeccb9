import type { Reach } from '#src/agents/access.ts'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import { signedOut } from '#src/core/admission/session-callers.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredApproval } from './approval.ts'

/** The page on which a person decides an approval. */
export function approvalUrl({ settings }: Pick<Ports, 'settings'>, approvalId: string): string {
  return `${settings.publicUrl}/approvals/${approvalId}`
}

/**
 * Admits a vote only from a person who is signed in and holds the account now, where the approval asks
 * for one. @returns what binds the vote to both, for its commit
 * @throws Refusal `person_needed` for any key, `invalid_credential` for a session that has ended,
 * `forbidden` for an account that the person holds no longer
 */
export async function boundToPerson(
  ports: Pick<Ports, 'settings'> & Reach,
  approval: Pick<StoredApproval, 'id' | 'require_person'>,
): Promise<Write[]> {
  if (approval.require_person !== true) return []
  const { store, caller } = ports
  const { personId, accountId, keyId } = caller
  if (personId === undefined) return needsPerson(ports, approval.id)
  // The caller may have been looked up before either changed.
  const [session, account] = await Promise.all([
    store.sessions.get(keyId),
    store.accounts.get(accountId),
  ])
  if (!session || session.revoked_at !== null) throw signedOut()
  const isHeld = account?.holder_id === personId && account.closed_at === undefined
  if (!isHeld) return holdsNoLonger(caller)
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

function needsPerson(ports: Pick<Ports, 'settings'>, approvalId: string): never {
  const message = `Only a signed-in person may decide the approval "${approvalId}", and no key.`
  return refuse('person_needed', message, {
    hint: `A person who holds the account decides it at ${approvalUrl(ports, approvalId)}.`,
  })
}

function holdsNoLonger({ accountId }: Pick<KeyCaller, 'accountId'>): never {
  return refuse('forbidden', `You no longer hold the account ${accountId}. Nothing was decided.`)
}
