import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { boundToRole } from '#src/accounts/members/bound.ts'
import { changeOf, unknownMember } from '#src/accounts/members/change.ts'
import { MemberRole } from '#src/accounts/members/member.ts'
import { membersChanged } from '#src/accounts/members/notices.ts'
import { addressesOf, byWhom } from '#src/accounts/members/who.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const update = operation({
  name: 'account.members.update',
  summary: 'Change what a person is in the account: owner, approver or reader.',
  description:
    'It holds from their next call on. With an owner who becomes less end the programs that they connected and their ' +
    'open invitations. The account always has an owner.',
  example: { member_id: 'usr_01a1fe241d3975cf83926a5fa84be463', role: 'reader' },
  auth: 'person',
  oauthScope: 'admin',
  http: { method: 'PUT', path: '/api/account/members/{member_id}' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    member_id: z.string().max(100).describe('The person_id.'),
    role: MemberRole,
  }),
  output: z.object({ person_id: z.string(), role: MemberRole }),
  refuses: ['person_needed', 'member_not_found', 'last_owner', 'own_account', 'write_conflict'],

  async run({ member_id: person_id, role }, context) {
    const { store, caller, clock, forgetCallers } = context
    const doing = 'change what others may do'
    const answer = await retryUnmet(async () => {
      const bound = await boundToRole(context, { roles: ['owner'], doing })
      const account = await store.accounts.get(caller.accountId)
      if (!account) return unknownMember(person_id)
      const now = clock.now()
      const { writes, from } = await changeOf(
        store,
        { account, personId: person_id, to: role },
        now,
      )
      if (writes.length === 0) return { person_id, role }
      const email = (await addressesOf(store, [person_id])).get(person_id) ?? person_id
      const what = `${email} is ${role} of the account now, and was ${from}: changed${await byWhom(store, caller)}.`
      const note = { operation: 'account.members.update', about: { person_id, role } }
      return commitAudited(
        context,
        { person_id, role },
        [...bound, ...writes, membersChanged(account.id, what, now)],
        { ...note, changed: ['role'] },
      )
    })
    forgetCallers()
    return answer
  },
})
