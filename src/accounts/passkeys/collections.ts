import type { CollectionsOf } from '#src/ports/documents.ts'
import type { SpentChallenge, StoredPasskey } from './passkey.ts'

/** Passkeys, and the questions that they have answered. */
interface PasskeyDocuments {
  passkeys: StoredPasskey
  spent_challenges: SpentChallenge
}

declare module '#src/ports/documents.ts' {
  interface Documents extends PasskeyDocuments {}
}

/** Their collections. */
export const passkeyCollections: CollectionsOf<PasskeyDocuments> = {
  passkeys: {
    shardKey: null,
    hidden: [
      'person_id',
      'account_id',
      'slot',
      'credential_id',
      'public_key',
      'counter',
      'transports',
    ],
    indexes: [
      { on: { credential_id: 1 }, unique: true },
      { on: { person_id: 1, slot: 1 }, unique: true },
      { on: { account_id: 1, id: 1 } },
    ],
  },
  spent_challenges: { shardKey: null, hidden: [], indexes: [{ on: { expires_at: 1 } }] },
}
