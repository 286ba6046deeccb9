import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredIdentity } from './identity.ts'
import type { StoredPerson } from './person.ts'
import type { StoredSession } from './session.ts'

/** Persons, by whom they are known, and their sessions. */
interface PeopleDocuments {
  persons: StoredPerson
  identities: StoredIdentity
  sessions: StoredSession
}

declare module '#src/ports/documents.ts' {
  interface Documents extends PeopleDocuments {}
}

/** Their collections. */
export const peopleCollections: CollectionsOf<PeopleDocuments> = {
  persons: {
    shardKey: null,
    hidden: ['email_key', 'password', 'account_id'],
    indexes: [{ on: { email_key: 1 }, unique: true }],
  },
  identities: { shardKey: null, hidden: [], indexes: [{ on: { person_id: 1 } }] },
  sessions: {
    shardKey: null,
    hidden: ['person_id', 'hash', 'revoked_at', 'confirmed_at'],
    indexes: [
      { on: { hash: 1 }, unique: true },
      { on: { person_id: 1, id: -1 } },
      { on: { expires_at: 1 } },
      { on: { revoked_at: 1 }, sparse: 'revoked_at' },
    ],
  },
}
