import type { CollectionsOf } from '#src/ports/documents.ts'
import type { Account, ApiKey, Claim } from './account.ts'
import type { AuditHead, StoredAuditRecord } from './audit/record.ts'
import type { StoredInvitation } from './invitation.ts'
import type { StoredNotice } from './notice.ts'

/** Accounts: their owners, keys and notices. */
interface AccountDocuments {
  accounts: Account
  claims: Claim
  invitations: StoredInvitation
  api_keys: ApiKey
  notices: StoredNotice
  audit: StoredAuditRecord
  audit_heads: AuditHead
}

declare module '#src/ports/documents.ts' {
  interface Documents extends AccountDocuments {}
}

/** Their collections. */
export const accountCollections: CollectionsOf<AccountDocuments> = {
  accounts: {
    shardKey: 'id',
    hidden: [],
    indexes: [
      { on: { holder_id: 1, id: 1 }, sparse: 'holder_id' },
      { on: { closing_due_at: 1 }, sparse: 'closing_due_at' },
    ],
  },
  claims: {
    shardKey: null,
    hidden: [],
    indexes: [
      { on: { token_hash: 1 }, unique: true },
      { on: { code_hash: 1 }, unique: true },
      { on: { key_id: 1 } },
      { on: { decided_at: 1 }, sparse: 'decided_at' },
    ],
  },
  invitations: { shardKey: null, hidden: [], indexes: [{ on: { expires_at: 1 } }] },
  api_keys: {
    shardKey: null,
    hidden: ['hash', 'account_id', 'networks', 'networks_count', 'made_by'],
    indexes: [
      { on: { hash: 1 }, unique: true },
      { on: { account_id: 1, id: -1 } },
      { on: { scope_char_id: 1 } },
      { on: { made_by: 1 }, sparse: 'made_by' },
      { on: { revoked_at: 1 }, sparse: 'revoked_at' },
    ],
  },
  notices: {
    shardKey: 'owner_id',
    hidden: ['owner_id', 'readers', 'group'],
    indexes: [
      { on: { owner_id: 1, id: -1 } },
      { on: { group: 1 }, unique: true },
      { on: { created_at: 1 } },
    ],
  },
  audit: {
    shardKey: 'account_id',
    hidden: ['id'],
    indexes: [{ on: { account_id: 1, id: 1 } }, { on: { at: 1 } }],
  },
  audit_heads: { shardKey: 'id', hidden: [], indexes: [] },
}
