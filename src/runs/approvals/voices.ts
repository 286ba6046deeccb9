import { personsWith, rolesWith } from '#src/core/authorization/account-roles.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredApproval, Vote } from './approval.ts'

/** The persons who may decide for each account that is asked, by its id. */
export type Voices = ReadonlyMap<string, ReadonlySet<string>>

type Seated = Pick<StoredApproval, 'approvers' | 'approver_owners'>

/** Who may decide now. */
export async function voicesOf(
  store: Pick<Store, 'accounts' | 'memberships'>,
  owners: readonly string[],
): Promise<Voices> {
  const roles = rolesWith('approve')
  const each = [...new Set(owners)].map(
    async (id) => [id, await personsWith(store, id, roles)] as const,
  )
  return new Map(await Promise.all(each))
}

/**
 * How many votes of different persons there can be: one for each agent that is asked, and no more of an account than it
 * has persons. An account that no person holds yet will have one.
 */
export function seatsFor(owners: readonly string[], voices: Voices): number {
  const asked = Map.groupBy(owners, (owner) => owner)
  const counts = [...asked].map(([owner, agents]) =>
    Math.min(agents.length, Math.max(1, voices.get(owner)?.size ?? 0)),
  )
  return counts.reduce((sum, one) => sum + one, 0)
}

/** Whether the person who cast a vote may still decide for the account of the agent as which they did. */
export function isHeard(
  { approvers, approver_owners }: Seated,
  { by, decided_by }: Vote,
  voices: Voices,
): boolean {
  const owner = approver_owners[approvers.indexOf(by)]
  const person = decided_by?.person_id
  return owner !== undefined && person !== undefined && voices.get(owner)?.has(person) === true
}
