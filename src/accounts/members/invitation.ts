import * as z from 'zod'
import type { Account } from '../account.ts'
import { emailKey, type StoredPerson } from '../people/person.ts'
import type { AccountRole } from '#src/core/authorization/account-roles.ts'
import { roleIn } from '#src/core/authorization/account-roles.ts'
import { refuse } from '#src/core/errors.ts'
import { digest, isToken, newId, newToken } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store } from '#src/ports/store.ts'
import { MemberRole } from './member.ts'

/** How long an invitation into an account may be accepted. */
export const memberInvitationDays = 7

/** The path of the page on which an invitation is accepted, before its code. */
export const joinFolder = '/join/'

export const MemberInvitation = z
  .object({
    id: z.string(),
    role: MemberRole,
    email: z.string().nullable().describe('The one whom it is for; null for who has the link.'),
    invited_by: z.string().describe('The person who made it.'),
    created_at: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'MemberInvitation' })
/** An invitation into an account, as its persons see it. */
export type MemberInvitation = z.infer<typeof MemberInvitation>

/** An invitation at rest: only the SHA-256 of its code. */
export interface StoredMemberInvitation extends MemberInvitation {
  account_id: string
  code_hash: string
  /** Who has accepted it, and when: each is accepted once. */
  used_by: string | null
  used_at: string | null
  /** When a person registered by it, where sign-up is not open: once only. */
  admitted_at?: string
}

/** A new invitation and its code, which is in no record. */
export function newMemberInvitation(
  made: { account_id: string; role: AccountRole; email: string | null; invited_by: string },
  now: Date,
): { code: string; record: StoredMemberInvitation } {
  const code = newToken('abm')
  const { account_id, role, email, invited_by } = made
  const record: StoredMemberInvitation = {
    id: newId('mbi'),
    role,
    email,
    invited_by,
    created_at: timestamp(now),
    expires_at: secondsAfter(now, memberInvitationDays * 86_400),
    account_id,
    code_hash: digest(code),
    used_by: null,
    used_at: null,
  }
  return { code, record }
}

/** The invitation as persons of the account see it, without its link. */
export function shownInvitation(stored: StoredMemberInvitation): MemberInvitation {
  const { id, role, email, invited_by, created_at, expires_at } = stored
  return { id, role, email, invited_by, created_at, expires_at }
}

/** Those of an account that may still be accepted, if who made them is an owner. */
export function openInvitations(accountId: string, now: Date): Filter<StoredMemberInvitation> {
  return { account_id: accountId, used_at: null, expires_at: { $gt: timestamp(now) } }
}

/** The invitation with this code, and its account; undefined if there is none. */
export async function invitedBy(
  { member_invitations, accounts }: Pick<Store, 'member_invitations' | 'accounts'>,
  code: string,
): Promise<{ invitation: StoredMemberInvitation; account: Account } | undefined> {
  if (!isToken(code, 'abm')) return undefined
  const filter = { code_hash: digest(code) }
  const [invitation] = await member_invitations.find(filter, { limit: 1 })
  const account = invitation && (await accounts.get(invitation.account_id))
  return invitation && account ? { invitation, account } : undefined
}

/** Why an invitation that was not used is void by now; undefined while it is good. */
export async function voidWords(
  store: Pick<Store, 'memberships'>,
  { invitation, account }: { invitation: StoredMemberInvitation; account: Account },
  now: Date,
): Promise<string | undefined> {
  if (invitation.expires_at <= timestamp(now)) {
    return `An invitation is valid for ${memberInvitationDays} days, and this one has expired.`
  }
  const role = await roleIn(store, account, invitation.invited_by)
  return role === 'owner' ? undefined : 'Who made this invitation is no owner of the account now.'
}

/** Whether an invitation is for this person: it may name an address. */
export function isFor(
  { email }: Pick<StoredMemberInvitation, 'email'>,
  { email_key }: Pick<StoredPerson, 'email_key'>,
): boolean {
  return email === null || emailKey(email) === email_key
}

/** @throws Refusal `invitation_not_found` */
export function unknownInvitation(): never {
  return refuse('invitation_not_found', 'There is no invitation with this code.', {
    hint: 'Open the whole link as it was given to you; it may also have been withdrawn: ask who sent it.',
  })
}
