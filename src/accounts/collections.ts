import type { CollectionDefinition, Documents } from '#src/collections.ts'

type OfAccounts = Extract<
  keyof Documents,
  'accounts' | 'claims' | 'invitations' | 'api_keys' | 'usage'
>

/** The collections of accounts: who owns, by which keys, and how much. */
export const ofAccounts: { readonly [N in OfAccounts]: CollectionDefinition } = {
  accounts: {
    hidden: [],
    indexes: [
      { on: { holder_id: 1, id: 1 }, sparse: 'holder_id' },
      { on: { closing_due_at: 1 }, sparse: 'closing_due_at' },
    ],
  },
  claims: {
    hidden: [],
    indexes: [
      { on: { token_hash: 1 }, unique: true },
      { on: { code_hash: 1 }, unique: true },
      { on: { key_id: 1 } },
    ],
  },
  invitations: { hidden: [], indexes: [{ on: { expires_at: 1 } }] },
  api_keys: {
    hidden: ['hash', 'account_id'],
    indexes: [
      { on: { hash: 1 }, unique: true },
      { on: { account_id: 1, id: -1 } },
      { on: { scope_char_id: 1 } },
    ],
  },
  usage: { hidden: [], indexes: [] },
}
