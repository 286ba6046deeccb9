import * as z from 'zod'
import type { Account } from '#src/accounts/account.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { asMember, whileSignedIn } from '#src/accounts/members/bound.ts'
import {
  invitedBy,
  isFor,
  unknownInvitation,
  voidWords,
  type StoredMemberInvitation,
} from '#src/accounts/members/invitation.ts'
import { MemberRole, membershipOf } from '#src/accounts/members/member.ts'
import { membersChanged } from '#src/accounts/members/notices.ts'
import type { StoredPerson } from '#src/accounts/people/person.ts'
import { roleIn } from '#src/core/authorization/account-roles.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'

export const join = operation({
  name: 'account.members.join',
  summary: 'Accept an invitation into an account, as the signed-in person.',
  description:
    'The code is the end of the link. From then on the session may act for that account: by the header Abode-Account, ' +
    'or by auth.sessions.choose.',
  example: { code: 'abm_00000000000000000000000000000000000000' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/account/members/join' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ code: z.string().trim().max(200) }),
  output: z.object({
    account_id: z.string(),
    name: z.string().nullable().describe('Of the account.'),
    role: MemberRole,
  }),
  refuses: [
    'person_needed',
    'invitation_not_found',
    'invitation_used',
    'invitation_void',
    'invitation_not_yours',
    'already_member',
    'write_conflict',
  ],
  limits: ['invitations'],

  async run({ code }, context) {
    const { store, caller, clock, forgetCallers } = context
    const { personId } = caller
    const answer = await retryUnmet(async () => {
      const { invitation, account } = (await invitedBy(store, code)) ?? unknownInvitation()
      const person = await store.persons.get(personId)
      if (!person) return refuse('invalid_credential', sessionEnded)
      await mustBeGood(context, { invitation, account }, person)
      const now = clock.now()
      const { id, role, invited_by } = invitation
      const { id: account_id, name } = account
      const made = membershipOf({ account_id, person_id: personId, role, invited_by }, now)
      const used = { used_by: personId, used_at: timestamp(now) }
      const what = `${person.email} has joined as ${role}.`
      // They are a member of it from now on.
      const taking = { ...context, caller: { ...caller, accountId: account_id } }
      return commitAudited(
        taking,
        { account_id, name, role },
        [
          whileSignedIn(caller.keyId),
          asMember(account, invited_by, 'owner'),
          { in: 'member_invitations', update: { id, used_at: null }, change: { $set: used } },
          { in: 'memberships', insert: made },
          membersChanged(account_id, what, now),
        ],
        {
          operation: 'account.members.join',
          about: { person_id: personId, invitation_id: id, role },
        },
      )
    })
    forgetCallers()
    return answer
  },
})

async function mustBeGood(
  { store, clock }: Context<'person'>,
  one: { invitation: StoredMemberInvitation; account: Account },
  person: StoredPerson,
): Promise<void> {
  const { invitation, account } = one
  if ((await roleIn(store, account, person.id)) !== undefined) {
    refuse('already_member', 'You are a member of this account already.', {
      hint: '<account.members.update> changes a role: ask an owner.',
    })
  }
  if (invitation.used_at !== null) {
    refuse(
      'invitation_used',
      'This invitation was accepted already: each is accepted once.',
      another,
    )
  }
  const words = await voidWords(store, one, clock.now())
  if (words !== undefined) refuse('invitation_void', words, another)
  if (!isFor(invitation, person)) {
    refuse('invitation_not_yours', 'This invitation is for another e-mail address than yours.', {
      hint: 'Sign in with the address that it was sent to, or ask for one for yours.',
    })
  }
}

const another = { hint: 'Ask an owner of the account for another one: <account.members.invite>.' }
