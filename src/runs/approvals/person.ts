import { boundToRole } from '#src/accounts/members/bound.ts'
import { policyOf } from '#src/accounts/policy.ts'
import type { Reach } from '#src/agents/access.ts'
import { isPerson } from '#src/core/admission/caller.ts'
import { rolesWith } from '#src/core/authorization/account-roles.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { StoredApproval } from './approval.ts'

/** The page on which a person decides an approval. */
export function approvalUrl({ settings }: Pick<Ports, 'settings'>, approvalId: string): string {
  return `${settings.publicUrl}/approvals/${approvalId}`
}

/**
 * Admits a vote only from a person who is signed in and may decide for the account now, where the approval asks for one,
 * or where the account whose run waits, or the one that votes, leaves approvals to persons.
 * @returns what binds the vote to both, for its commit
 * @throws Refusal `person_needed` for any key, `invalid_credential` for a session that has ended,
 * `forbidden` for an account that the person is a member of no longer, `role_needed`
 */
export async function boundToPerson(
  ports: Pick<Ports, 'settings'> & Reach,
  approval: Pick<StoredApproval, 'id' | 'owner_id' | 'kind' | 'require_person'>,
): Promise<Write[]> {
  const { store, caller } = ports
  const isAsked =
    approval.require_person === true || (await leavesToPersons(store, approval.owner_id, caller))
  if (!isAsked) return []
  const person = isPerson(caller) ? caller : needsPerson(ports, approval.id)
  const needed = approval.kind === 'secret_origin' ? ownersPart : votersPart
  return boundToRole({ store, caller: person }, needed)
}

const votersPart = { roles: rolesWith('approve'), doing: 'decide approvals' } as const
/** What only an owner decides: where a secret goes. */
export const ownersPart = {
  roles: rolesWith('admin'),
  doing: 'decide where a secret goes',
} as const

async function leavesToPersons(
  { accounts }: Pick<Store, 'accounts'>,
  ownerId: string,
  { accountId }: Reach['caller'],
): Promise<boolean> {
  const both = await Promise.all([...new Set([ownerId, accountId])].map((id) => accounts.get(id)))
  return both.some((account) => policyOf(account).approvals_need_person)
}

function needsPerson(ports: Pick<Ports, 'settings'>, approvalId: string): never {
  const message = `Only a signed-in person may decide the approval "${approvalId}", and no key.`
  return refuse('person_needed', message, {
    hint: `An owner or an approver of the account decides it at ${approvalUrl(ports, approvalId)}.`,
  })
}
