import type { Ports } from '#src/core/context.ts'
import { randomSuffix } from '#src/core/ids.ts'
import { hashOf } from '#src/accounts/people/password.ts'
import { newPerson } from '#src/accounts/people/person.ts'
import { newSession } from '#src/accounts/people/session.ts'

/** A person who is signed in, with the token that their browser keeps. */
export interface SignedInPerson {
  id: string
  email: string
  account_id: string
  session_id: string
  token: string
}

/** The password of every person made here; hashed once, because hashing is slow. */
export const password = 'a few words in a row'
let hashed: Promise<string> | undefined

/** Makes a person and signs them in, with the same records as registration. */
export async function signedInPerson({
  store,
  clock,
}: Pick<Ports, 'store' | 'clock'>): Promise<SignedInPerson> {
  const email = `${randomSuffix(12)}@example.org`
  const now = clock.now()
  const { person, writes } = newPerson(email, await (hashed ??= hashOf(password)), now)
  const place = { address: '127.0.0.0', userAgent: 'tests' }
  const { record, change } = newSession(person, place, now)
  await store.commit([...writes, { in: 'sessions', insert: record }])
  if (change === 'ended') throw new Error('a new session has ended')
  const { id, account_id } = person
  return { id, email, account_id, session_id: record.id, token: change.token }
}

/** Signs the same person in at another browser, at a time. */
export async function signedInAgain(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  person: Pick<SignedInPerson, 'id'>,
  now = clock.now(),
): Promise<{ id: string; token: string }> {
  const place = { address: '10.0.0.0', userAgent: undefined }
  const { record, change } = newSession(person, place, now)
  await store.sessions.insert(record)
  if (change === 'ended') throw new Error('a new session has ended')
  return { id: record.id, token: change.token }
}
