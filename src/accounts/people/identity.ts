import { digest } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { SignInProvider } from '#src/core/settings.ts'
import type { ProvidedIdentity } from '#src/ports/oauth.ts'
import { emailKey } from './person.ts'

/** By whom a person is known, and as whom. */
export interface StoredIdentity {
  /** SHA-256 of the issuer and its subject, so that each is one person's alone. */
  id: string
  person_id: string
  issuer: string
  subject: string
  created_at: string
}

/** The id of what a provider says of a person. */
export function identityId({
  issuer,
  subject,
}: Pick<ProvidedIdentity, 'issuer' | 'subject'>): string {
  return digest(JSON.stringify([issuer, subject]))
}

/** A new identity of a person. */
export function newIdentity(
  { issuer, subject }: ProvidedIdentity,
  person: { id: string },
  now: Date,
): StoredIdentity {
  const id = identityId({ issuer, subject })
  return { id, person_id: person.id, issuer, subject, created_at: timestamp(now) }
}

/** Whether the provider speaks for the domain of an address: exactly for that, not for those below it. */
export function speaksFor({ domains }: Pick<SignInProvider, 'domains'>, email: string): boolean {
  const key = emailKey(email)
  return domains.includes(key.slice(key.lastIndexOf('@') + 1))
}
