import * as z from 'zod'
import { digest, newId, newToken } from '#src/core/ids.ts'
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
    current: z.boolean().describe('It is the one that asks.'),
    /** What the browser says of itself, cut. */
    user_agent: z.string().nullable(),
    /** Of the network that began it. */
    address: z.string(),
    created_at: z.string(),
    last_used_at: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'Session' })
/** A person signed in at one browser, as they see it. */
export type Session = z.infer<typeof Session>

/** A session at rest: of its token the SHA-256 only. */
export interface StoredSession extends Omit<Session, 'current'> {
  person_id: string
  hash: string
  revoked_at: string | null
}

/** Where a session is begun. */
export interface Place {
  address: string
  userAgent: string | undefined
}

const userAgentAtMost = 200

/** A new session, and what the browser is to keep of it. */
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

/** The sessions of a person that open something at this time. */
export function liveSessions(personId: string, now: Date): Filter<StoredSession> {
  return { person_id: personId, revoked_at: null, expires_at: { $gt: timestamp(now) } }
}

/** The session as its person sees it. @param currentId of the session that asks */
export function publicSession(
  { person_id: _person, hash: _hash, revoked_at: _revoked, ...shown }: StoredSession,
  currentId: string,
): Session {
  return { ...shown, current: shown.id === currentId }
}

/**
 * What ends a session from the next request on: nothing where it has ended, or was swept. The write
 * fails (`Unmet`) where it is swept meanwhile.
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
