import { refuse } from '#src/core/errors.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { endOfConnections } from '../hosts/end.ts'
import type { StoredPerson } from './person.ts'

/** Accounts that a person still holds, as many as are named to them. */
const namedAtMost = 5

/**
 * The writes that delete a person: how they sign in, where they are signed in, and what they are in the accounts of
 * others. None of those loses its owner by it: who holds an account has to leave or delete it first.
 * @throws Refusal `accounts_left`
 */
export async function personGone(store: Store, person: StoredPerson, now: Date): Promise<Write[]> {
  const { id, account_id: own } = person
  const held = { holder_id: id, id: { $ne: own }, closed_at: null }
  const left = await store.accounts.pick(['id'], held, { sort: { id: 1 }, limit: namedAtMost })
  if (left.length > 0) {
    const ids = left.map(([one]) => String(one))
    refuse('accounts_left', `You hold other accounts too: ${ids.join(', ')}.`, {
      hint: 'Delete each of them first, or leave it to another owner with <account.members.delete>.',
      members: { account_ids: ids },
    })
  }
  const theirs = { person_id: id }
  return [
    { in: 'persons', delete: { id } },
    { in: 'identities', delete: theirs },
    { in: 'sessions', delete: theirs },
    { in: 'mail_links', delete: theirs },
    { in: 'second_factors', delete: { id } },
    { in: 'passkeys', delete: theirs },
    { in: 'memberships', delete: theirs },
    { in: 'notification_settings', delete: theirs },
    { in: 'tellings', delete: theirs },
    { in: 'push_subscriptions', delete: theirs },
    { in: 'deliveries', delete: { told_person: id, status: 'pending' } },
    { in: 'member_invitations', delete: { invited_by: id, used_at: null } },
    ...(await endOfConnections(store, theirs, now)),
  ]
}
