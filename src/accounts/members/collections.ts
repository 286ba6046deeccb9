import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredMemberInvitation } from './invitation.ts'
import type { Membership } from './member.ts'

/** Who else is a person of an account, and who is invited. */
interface MemberDocuments {
  memberships: Membership
  member_invitations: StoredMemberInvitation
}

declare module '#src/ports/documents.ts' {
  interface Documents extends MemberDocuments {}
}

/** Their collections. */
export const memberCollections: CollectionsOf<MemberDocuments> = {
  memberships: {
    shardKey: null,
    hidden: [],
    indexes: [{ on: { account_id: 1, created_at: 1 } }, { on: { person_id: 1, id: 1 } }],
  },
  member_invitations: {
    shardKey: null,
    hidden: ['account_id', 'code_hash', 'used_by', 'used_at', 'admitted_at'],
    indexes: [
      { on: { code_hash: 1 }, unique: true },
      { on: { account_id: 1, id: 1 } },
      { on: { expires_at: 1 } },
    ],
  },
}
