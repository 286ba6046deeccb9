import * as z from 'zod'
import type { Caller, KeyCaller } from '../admission/caller.ts'

export const Actor = z
  .object({
    kind: z
      .enum(['person', 'key', 'handle', 'host', 'operator'])
      .describe(
        'A person who is signed in, a key, a handle, a connected program, or who runs this server.',
      ),
    person_id: z.string().optional(),
    session_id: z.string().optional().describe("The person's."),
    key_id: z.string().optional().describe('Of a program: that it has made.'),
    handle: z.string().optional(),
    connection_id: z.string().optional().describe("The program's."),
  })
  .meta({ id: 'Actor' })
/** Who made a call, by the credential that it was made with, and never only the agent that it acted as. */
export type Actor = z.infer<typeof Actor>

/** The operator, by a command on the store. */
export const operator = { kind: 'operator' } as const satisfies Actor

/**
 * Who makes a call, as the account that it concerns is told: of another account no more than the kind, since
 * its keys and persons are its own affair. Null without a credential.
 */
export function actorFor(accountId: string, caller: Caller): Actor | null {
  const actor = actorOf(caller)
  if (actor === null || actor.kind === 'handle') return actor
  return caller.accountId === accountId ? actor : { kind: actor.kind }
}

/** Who makes a call; null without a credential. */
export function actorOf(caller: Caller): Actor | null {
  if (caller.kind === 'anonymous') return null
  if (caller.kind === 'key') return keyActor(caller)
  if (caller.kind === 'handle' || caller.keyId === undefined) {
    return { kind: 'handle', handle: caller.handle }
  }
  const { keyId, personId, connection } = caller
  return keyActor({ keyId, personId, connection })
}

/** The same for whom an account is known of: its key, a person who holds it, or a program that they connected. */
export function keyActor({
  keyId,
  personId,
  connection,
}: {
  keyId: string
  personId: string | undefined
  connection?: { id: string } | undefined
}): Actor {
  if (connection) {
    const byKey = keyId === connection.id ? {} : { key_id: keyId }
    return { kind: 'host', connection_id: connection.id, ...byKey }
  }
  return personId === undefined
    ? { kind: 'key', key_id: keyId }
    : { kind: 'person', person_id: personId, session_id: keyId }
}

/**
 * The same as the trigger of a run names it: the key or session, or the connection of a program by its own token, and the
 * agent that it acts as.
 */
export function callerNamed({
  keyId,
  charId,
  connection,
}: Pick<KeyCaller, 'keyId' | 'charId' | 'connection'>): Record<string, unknown> {
  const credential = connection?.id === keyId ? { connection_id: keyId } : { key_id: keyId }
  return { ...credential, ...(charId !== undefined && { char_id: charId }) }
}

/** Whether two calls were made by the same person, from any browser, the same program, or with the same credential. */
export function isSameActor(one: Actor | undefined, other: Actor): boolean {
  if (!one || one.kind !== other.kind) return false
  if (one.kind === 'person') return one.person_id === other.person_id
  if (one.kind === 'host') return one.connection_id === other.connection_id
  return one.key_id === other.key_id && one.handle === other.handle
}
