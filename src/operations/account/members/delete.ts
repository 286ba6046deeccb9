import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { boundToRole } from '#src/accounts/members/bound.ts'
import { changeOf, unknownMember } from '#src/accounts/members/change.ts'
import { openInvitations } from '#src/accounts/members/invitation.ts'
import { membersChanged } from '#src/accounts/members/notices.ts'
import { addressesOf, byWhom } from '#src/accounts/members/who.ts'
import { accountRoles } from '#src/core/authorization/account-roles.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import type { Write } from '#src/ports/store.ts'

export const deleteMember = operation({
  name: 'account.members.delete',
  summary: 'Remove a person from the account, leave it, or withdraw an invitation.',
  description:
    'What they have open ends for this account at once, with the programs that they connected to it and their open ' +
    'invitations. Keys of the account that they know go on working: revoke those. The last owner cannot leave.',
  example: { member_id: 'usr_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'DELETE', path: '/api/account/members/{member_id}' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    member_id: z.string().max(100).describe('The person_id, or the id of an invitation.'),
  }),
  output: z.object({
    id: z.string(),
    deleted: z.literal(true),
    warnings: z.array(Warning).optional(),
  }),
  refuses: ['person_needed', 'member_not_found', 'last_owner', 'own_account', 'write_conflict'],
  destructive: true,

  async run({ member_id: id }, context) {
    const { caller, forgetCallers } = context
    const isSelf = id === caller.personId
    const roles = isSelf ? accountRoles : (['owner'] as const)
    const doing = 'remove others'
    const answer = await retryUnmet(async () => {
      const bound = await boundToRole(context, { roles, doing })
      const { writes, what, about, keepsKeys } = await removalOf(context, id)
      const note = { operation: 'account.members.delete', about }
      const told = membersChanged(caller.accountId, what, context.clock.now())
      return commitAudited(
        context,
        withWarnings({ id, deleted: true as const }, keepsKeys ? [keysRemain] : []),
        [...bound, ...writes, told],
        note,
      )
    })
    forgetCallers()
    return answer
  },
})

interface Removal {
  writes: readonly Write[]
  what: string
  about: Record<string, string>
  /** An owner may know keys of the account. */
  keepsKeys: boolean
}

async function removalOf(
  { store, caller, clock }: Context<'person'>,
  id: string,
): Promise<Removal> {
  const now = clock.now()
  const by = await byWhom(store, caller)
  const open = { ...openInvitations(caller.accountId, now), id }
  const [invitation] = await store.member_invitations.find(open, { limit: 1 })
  if (invitation) {
    const about = { invitation_id: id, role: invitation.role }
    const what = `The invitation ${id} was withdrawn${by}.`
    // Who accepts it at this moment is a member by then, and not to be told otherwise.
    const asRead = { in: 'member_invitations', update: { id, used_at: null } } as const
    const writes: Write[] = [
      { ...asRead, change: { $set: { used_at: null } } },
      { in: 'member_invitations', delete: { id } },
    ]
    return { writes, what, about, keepsKeys: false }
  }
  const account = await store.accounts.get(caller.accountId)
  if (!account) return unknownMember(id)
  const { writes, from } = await changeOf(store, { account, personId: id, to: undefined }, now)
  const theirs = { account_id: account.id, person_id: id }
  const told: Write[] = [
    { in: 'notification_settings', delete: theirs },
    { in: 'tellings', delete: theirs },
    { in: 'deliveries', delete: { told_person: id, owner_id: account.id, status: 'pending' } },
  ]
  const email = (await addressesOf(store, [id])).get(id) ?? id
  const what = `${email}, who was ${from} of the account, is no member any more: removed${by}.`
  const about = { person_id: id, role: from }
  return { writes: [...writes, ...told], what, about, keepsKeys: from === 'owner' }
}

const keysRemain = {
  code: 'keys_remain',
  message:
    'Keys of the account that they have made or seen go on working: <api_keys.list> names all, and <api_keys.revoke> ends one.',
}
