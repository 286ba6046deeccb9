import * as z from 'zod'
import { digest, newId, newToken } from '#src/core/ids.ts'
import type { PersonCaller } from '#src/core/admission/caller.ts'
import type { SessionChange } from '#src/core/admission/session.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store, Write } from '#src/ports/store.ts'

/** How long a person stays signed in. */
export const sessionDays = 30
const sessionSeconds = sessionDays * 86_400

export const Session = z
  .object({
    id: z.string(),
    current: z.boolean().describe('Whether it is the session of this call.'),
    /** The browser's user agent, cut. */
    user_agent: z.string().nullable(),
    /** The network in which it began. */
    address: z.string(),
    created_at: z.string(),
    last_used_at: z.string(),
    expires_at: z.string(),
    account_id: z
      .string()
      .nullable()
      .describe('The account that it has chosen to act for; null for their own.'),
  })
  .meta({ id: 'Session' })
/** A session of a person at one browser, as they see it. */
export type Session = z.infer<typeof Session>

/** A session at rest: only the SHA-256 of its token. */
export interface StoredSession extends Omit<Session, 'current' | 'account_id'> {
  person_id: string
  /** Absent for the person's own account. */
  account_id?: string
  hash: string
  revoked_at: string | null
  /** When the person has shown again who they are. */
  confirmed_at?: string
}

/** Where a session begins. */
export interface Place {
  address: string
  userAgent: string | undefined
}

const userAgentAtMost = 200

/** A new session, and the token that the browser keeps. */
export function newSession(
  person: { id: string },
  { address, userAgent }: Place,
  now: Date,
): { record: StoredSession; change: SessionChange } {
  const token = newToken('abs')
  const at = timestamp(now)
  const record: StoredSession = {
    id: newId('ses'),
    person_id: person.id,
    hash: digest(token),
    user_agent: userAgent?.slice(0, userAgentAtMost) ?? null,
    address,
    created_at: at,
    last_used_at: at,
    expires_at: secondsAfter(now, sessionSeconds),
    revoked_at: null,
  }
  return { record, change: { token, maxAgeSeconds: sessionSeconds } }
}

/** The sessions of a person that are valid at this time. */
export function liveSessions(personId: string, now: Date): Filter<StoredSession> {
  return { person_id: personId, revoked_at: null, expires_at: { $gt: timestamp(now) } }
}

/** The session as its person sees it. @param currentId the id of the session that makes the call */
export function publicSession(
  {
    person_id: _person,
    hash: _hash,
    revoked_at: _revoked,
    confirmed_at: _confirmed,
    ...shown
  }: StoredSession,
  currentId: string,
): Session {
  return { account_id: null, ...shown, current: shown.id === currentId }
}

/**
 * The writes that end a session from the next request on; none if it has ended or was deleted. They fail
 * (`Unmet`) if it is deleted meanwhile.
 */
export async function endOfSession(
  { sessions }: Pick<Store, 'sessions'>,
  id: string,
  now: Date,
): Promise<Write[]> {
  const session = await sessions.get(id)
  if (!session || session.revoked_at !== null) return []
  const change = { $set: { revoked_at: timestamp(now) } }
  return [{ in: 'sessions', update: { id, revoked_at: null }, change }]
}

/** A person as the author of what is recorded in their own account, where sign-ins are, whichever they act for. */
export async function inOwnAccount(
  { persons }: Pick<Store, 'persons'>,
  { keyId, personId, accountId }: Pick<PersonCaller, 'keyId' | 'personId' | 'accountId'>,
): Promise<Pick<PersonCaller, 'keyId' | 'personId' | 'accountId'>> {
  const person = await persons.get(personId)
  return { keyId, personId, accountId: person?.account_id ?? accountId }
}
