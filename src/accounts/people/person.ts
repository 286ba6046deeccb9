import * as z from 'zod'
import type { Account } from '../account.ts'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'

export const Person = z
  .object({
    id: z.string(),
    email: z.string(),
    email_verified: z.boolean().describe('Whether they have shown that the address is theirs.'),
    created_at: z.string(),
  })
  .meta({ id: 'Person' })
/** A person who holds accounts, as they see themselves. */
export type Person = z.infer<typeof Person>

/** A person at rest. */
export interface StoredPerson extends Omit<Person, 'email_verified'> {
  /** Absent where nothing was shown since; a provider has said so of who has no password. */
  email_verified?: boolean
  /** The same for all spellings of one address; unique. */
  email_key: string
  /** Argon2id, in the form of its reference implementation; null for one who signs in by a provider alone. */
  password: string | null
  /** Their own account, made with them; it needs no claim. */
  account_id: string
}

/** Longest e-mail address in characters: the limit of a path in SMTP. */
export const emailAtMost = 254
/** Shortest password in characters. */
export const passwordAtLeast = 10
/** Longest password in characters, so that no one can have megabytes hashed. */
export const passwordAtMost = 256

/** What is said of such a password. */
export const passwordIsEmail = 'The password must not be the e-mail address.'

/** Whether a password is an e-mail address, however spelt. */
export function isSpelt(password: string, email: string): boolean {
  return emailKey(password) === emailKey(email)
}

/** A password that someone chooses. */
export const NewPassword = z.string().min(passwordAtLeast).max(passwordAtMost)

/** An e-mail address that someone gives. */
export const Email = z
  .string()
  .trim()
  .max(emailAtMost)
  .regex(z.regexes.html5Email, 'This is not an e-mail address.')

/** The key by which a person is found, in whichever spelling the address is given. */
export function emailKey(email: string): string {
  return email.trim().normalize().toLowerCase()
}

/** The person as the wire shows them. */
export function publicPerson(stored: StoredPerson): Person {
  const { id, email, email_verified = stored.password === null, created_at } = stored
  return { id, email, email_verified, created_at }
}

/**
 * A new person with an account of their own, and the writes for both.
 * @param password in its stored form; null for one who signs in by a provider alone, which has verified the address
 */
export function newPerson(
  email: string,
  password: string | null,
  now: Date,
  { isVerified = password === null } = {},
): { person: StoredPerson; writes: Write[] } {
  const created_at = timestamp(now)
  const id = newId('usr')
  const account: Account = {
    id: newId('acc'),
    kind: 'person',
    plan: 'free',
    holder_id: id,
    name: null,
    created_at,
  }
  const person: StoredPerson = {
    id,
    email,
    email_verified: isVerified,
    created_at,
    email_key: emailKey(email),
    password,
    account_id: account.id,
  }
  return {
    person,
    writes: [
      { in: 'persons', insert: person },
      { in: 'accounts', insert: account },
      { in: 'usage', insert: { id: account.id, agents: 0, apps: 0, bytes: 0 } },
    ],
  }
}
