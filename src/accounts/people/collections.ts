import type { CollectionDefinition, Documents } from '#src/collections.ts'

type OfPeople = Extract<keyof Documents, 'persons' | 'sessions'>

/** The collections of persons: who they are, and where they are signed in. */
export const ofPeople: { readonly [N in OfPeople]: CollectionDefinition } = {
  persons: {
    hidden: ['email_key', 'password', 'account_id'],
    indexes: [{ on: { email_key: 1 }, unique: true }],
  },
  sessions: {
    hidden: ['person_id', 'hash', 'revoked_at'],
    indexes: [
      { on: { hash: 1 }, unique: true },
      { on: { person_id: 1, id: -1 } },
      { on: { expires_at: 1 } },
      { on: { revoked_at: 1 }, sparse: 'revoked_at' },
    ],
  },
}
