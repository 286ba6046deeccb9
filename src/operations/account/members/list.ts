import * as z from 'zod'
import {
  MemberInvitation,
  openInvitations,
  shownInvitation,
} from '#src/accounts/members/invitation.ts'
import { Member, membersAtMost, type Membership } from '#src/accounts/members/member.ts'
import { addressesOf } from '#src/accounts/members/who.ts'
import { operation } from '#src/core/operation.ts'

export const list = operation({
  name: 'account.members.list',
  summary: 'List the persons of the account with their roles, and who is invited.',
  description:
    'An owner does everything, an approver reads and decides approvals, a reader reads. Who holds the account comes ' +
    'first, and is an owner. The link of an invitation is only in the answer that made it.',
  example: {},
  auth: 'person',
  http: { method: 'GET', path: '/api/account/members' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({
    members: z.array(Member),
    invitations: z.array(MemberInvitation).describe('Not accepted yet.'),
  }),
  refuses: ['person_needed'],

  async run(_, { store, caller, clock }) {
    const { accountId, personId } = caller
    const [account, others, invitations] = await Promise.all([
      store.accounts.get(accountId),
      store.memberships.find(
        { account_id: accountId },
        { sort: { created_at: 1 }, limit: membersAtMost },
      ),
      store.member_invitations.find(openInvitations(accountId, clock.now()), {
        sort: { id: -1 },
        limit: membersAtMost,
      }),
    ])
    const holder = account?.holder_id == null ? [] : [holding(account.holder_id)]
    const all = [...holder, ...others]
    const emails = await addressesOf(
      store,
      all.map(({ person_id }) => person_id),
    )
    const members = all.map(({ person_id, role, invited_by, created_at: joined_at }): Member => ({
      person_id,
      email: emails.get(person_id) ?? '',
      role,
      invited_by,
      joined_at,
      you: person_id === personId,
    }))
    return { members, invitations: invitations.map(shownInvitation) }
  },
})

function holding(
  person_id: string,
): Pick<Membership, 'person_id' | 'role' | 'invited_by'> & { created_at: null } {
  return { person_id, role: 'owner', invited_by: null, created_at: null }
}
