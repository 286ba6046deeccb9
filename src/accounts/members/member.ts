import * as z from 'zod'
import {
  accountRoles,
  membershipId,
  type AccountRole,
} from '#src/core/authorization/account-roles.ts'
import { timestamp } from '#src/core/time.ts'

/** How many persons an account has at most, those who are invited included. */
export const membersAtMost = 100

export const MemberRole = z.enum(accountRoles)

export const Member = z
  .object({
    person_id: z.string(),
    email: z.string(),
    role: MemberRole,
    invited_by: z.string().nullable().describe('A person; null for who holds the account.'),
    joined_at: z.string().nullable().describe('Null for who holds the account.'),
    you: z.boolean(),
  })
  .meta({ id: 'AccountMember' })
/** A person of an account, as its persons see them. */
export type Member = z.infer<typeof Member>

/** What a person is in an account that they do not hold. Its id is made of both. */
export interface Membership {
  id: string
  account_id: string
  person_id: string
  role: AccountRole
  /** The person who has invited them; null for who held the account before. */
  invited_by: string | null
  created_at: string
}

/** A new one. */
export function membershipOf(
  made: Pick<Membership, 'account_id' | 'person_id' | 'role' | 'invited_by'>,
  now: Date,
): Membership {
  const { account_id, person_id, role, invited_by } = made
  const id = membershipId(account_id, person_id)
  return { id, account_id, person_id, role, invited_by, created_at: timestamp(now) }
}
