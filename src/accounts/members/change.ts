import { membershipId, roleIn, type AccountRole } from '#src/core/authorization/account-roles.ts'
import { refuse } from '#src/core/errors.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Account } from '../account.ts'
import { endOfConnections } from '../hosts/end.ts'
import { membershipOf } from './member.ts'

/** What is to become of a person in an account. */
export interface Change {
  account: Account
  personId: string
  /** Undefined: they leave it. */
  to: AccountRole | undefined
}

/**
 * The writes that change what a person is in an account; none if they are that already. Who is an owner no longer
 * takes along the programs that they have connected, and their invitations; where they held the account, the owner who
 * joined first holds it then.
 * @throws Refusal `member_not_found`, `own_account`, `last_owner`
 */
export async function changeOf(
  store: Store,
  { account, personId, to }: Change,
  now: Date,
): Promise<{ writes: Write[]; from: AccountRole }> {
  const from = await roleIn(store, account, personId)
  if (from === undefined) return unknownMember(personId)
  if (from === to) return { writes: [], from }
  const lost = from === 'owner' ? await ownersPart(store, account, personId, now) : []
  if (account.holder_id === personId) {
    return { writes: [...(await passedOn(store, { account, personId, to }, now)), ...lost], from }
  }
  const id = membershipId(account.id, personId)
  const asRead = { in: 'memberships', update: { id, role: from } } as const
  const writes: Write[] = [{ ...asRead, change: { $set: { role: to ?? from } } }, ...lost]
  if (to === undefined) writes.push({ in: 'memberships', delete: { id } })
  return { writes, from }
}

async function ownersPart(
  store: Store,
  { id, kind }: Account,
  personId: string,
  now: Date,
): Promise<Write[]> {
  const person = kind === 'person' ? await store.persons.get(personId) : undefined
  if (person?.account_id === id) {
    refuse('own_account', 'The account was made with this person, who stays its owner.', {
      hint: 'What others are in it can be changed.',
    })
  }
  const theirs = { account_id: id, invited_by: personId, used_at: null }
  const connected = { account_id: id, person_id: personId }
  return [
    { in: 'member_invitations', delete: theirs },
    ...(await endOfConnections(store, connected, now)),
  ]
}

/** Hands the account on to the owner who joined first. */
async function passedOn(
  { memberships }: Store,
  { account, personId, to }: Change,
  now: Date,
): Promise<Write[]> {
  const { id: account_id } = account
  const owners = { account_id, role: 'owner' } as const
  const [next] = await memberships.find(owners, { sort: { created_at: 1 }, limit: 1 })
  if (!next) {
    return refuse('last_owner', 'The account has no other owner.', {
      hint: '<account.members.update> makes another member an owner; then this can be done.',
    })
  }
  const { id } = next
  const kept =
    to && membershipOf({ account_id, person_id: personId, role: to, invited_by: null }, now)
  return [
    {
      in: 'accounts',
      update: { id: account_id, holder_id: personId },
      change: { $set: { holder_id: next.person_id } },
    },
    // Who leaves at this moment is not made to hold it.
    { in: 'memberships', update: { id, role: 'owner' }, change: { $set: { role: 'owner' } } },
    { in: 'memberships', delete: { id } },
    ...(kept ? [{ in: 'memberships', insert: kept } as const] : []),
  ]
}

/** @throws Refusal `member_not_found` */
export function unknownMember(id: string): never {
  return refuse('member_not_found', `The account has no member and no open invitation "${id}".`, {
    hint: '<account.members.list> lists those that it has.',
  })
}
