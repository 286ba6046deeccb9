import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { boundToRole } from '#src/accounts/members/bound.ts'
import {
  joinFolder,
  MemberInvitation,
  newMemberInvitation,
  openInvitations,
  shownInvitation,
} from '#src/accounts/members/invitation.ts'
import { MemberRole, membersAtMost } from '#src/accounts/members/member.ts'
import { membersChanged } from '#src/accounts/members/notices.ts'
import { byWhom } from '#src/accounts/members/who.ts'
import { Email, emailKey } from '#src/accounts/people/person.ts'
import { roleIn } from '#src/core/authorization/account-roles.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const invite = operation({
  name: 'account.members.invite',
  summary: 'Invite a person into the account, by a link that works once.',
  description:
    'Hand the link on yourself; it is only in this answer. With email only a person who signs in with that address ' +
    'accepts it. It is void once you are no owner any more. No key invites anyone: it could approve by its own person ' +
    'what a person has to.',
  example: { role: 'approver', email: 'grace@example.org' },
  auth: 'person',
  oauthScope: 'admin',
  http: { method: 'POST', path: '/api/account/members', status: 201 },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    role: MemberRole.describe(
      'owner: everything. approver: reads, and decides approvals. reader: reads.',
    ),
    email: Email.optional(),
  }),
  output: MemberInvitation.extend({ url: z.string().describe('Its end is the code.') }),
  refuses: ['person_needed', 'already_member', 'write_conflict'],
  secret: true,

  async run({ role, email }, context) {
    const { store, caller, clock, settings } = context
    const { accountId: account_id, personId } = caller
    const doing = 'invite others'
    return retryUnmet(async () => {
      const bound = await boundToRole(context, { roles: ['owner'], doing })
      if (email !== undefined) await mustBeNew(context, email)
      const now = clock.now()
      await mustHaveRoom(context, now)
      const made = { account_id, role, email: email ?? null, invited_by: personId }
      const { code, record } = newMemberInvitation(made, now)
      const whom = email ?? 'who has the link'
      const told = `An invitation for ${whom} as ${role} was made${await byWhom(store, caller)}.`
      const about = { invitation_id: record.id, role }
      return commitAudited(
        context,
        { ...shownInvitation(record), url: settings.publicUrl + joinFolder + code },
        [
          ...bound,
          { in: 'member_invitations', insert: record },
          membersChanged(account_id, told, now),
        ],
        { operation: 'account.members.invite', about },
      )
    })
  },
})

type Here = Context<'person'>

async function mustBeNew({ store, caller }: Here, email: string): Promise<void> {
  const [person] = await store.persons.find({ email_key: emailKey(email) }, { limit: 1 })
  const account = person && (await store.accounts.get(caller.accountId))
  if (!person || (await roleIn(store, account, person.id)) === undefined) return
  refuse('already_member', 'This person is a member already.', {
    hint: '<account.members.update> changes their role.',
  })
}

async function mustHaveRoom({ store, caller }: Here, now: Date): Promise<void> {
  const { accountId } = caller
  const counts = await Promise.all([
    store.memberships.count({ account_id: accountId }),
    store.member_invitations.count(openInvitations(accountId, now)),
  ])
  // Who holds it is one more.
  if (counts.reduce((sum, one) => sum + one, 1) < membersAtMost) return
  refuse('quota_exceeded', `An account has at most ${membersAtMost} persons, invited ones too.`, {
    hint: '<account.members.delete> removes one, or withdraws an invitation.',
  })
}
