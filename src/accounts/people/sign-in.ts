import * as z from 'zod'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { commitAudited } from '../audit/commit.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { Person, publicPerson, type StoredPerson } from './person.ts'
import { endOfSession, newSession } from './session.ts'

/** The person who is signed in, and their own account. */
export const SignedIn = z.object({
  person: Person,
  account_id: z.string().describe("The person's own account."),
})
export type SignedIn = z.infer<typeof SignedIn>

/** How a person signs in. */
export interface Entering {
  /** `password`, or the issuer of the provider that says who they are. */
  by: string
  /** Go into the same commit. */
  writes?: readonly Write[]
  /** What is changed of the person by that. */
  changed?: readonly string[]
  /** Refuses where one of these writes holds no longer, so that it would be tried in vain. */
  overtaken?: (cause: Unmet) => void
}

/** A write that fails once the person has another password. */
export function whilePasswordIs({ id, password }: Pick<StoredPerson, 'id' | 'password'>): Write {
  return { in: 'persons', update: { id, password }, change: { $set: { password } } }
}

/**
 * Signs a person in at the browser of the call. The session is always a new one and the browser's previous
 * one ends, so that a token which someone else has planted there is useless afterwards.
 */
export async function signIn(
  context: Context<'none'>,
  person: StoredPerson,
  { by, writes: otherWrites = [], changed = [], overtaken }: Entering,
): Promise<Answer<SignedIn>> {
  const { store, caller, clock, forgetCallers } = context
  const value = { person: publicPerson(person), account_id: person.account_id }
  const answer = await retryUnmet(async () => {
    const now = clock.now()
    const begun = newSession(person, context, now)
    const brought = caller.kind === 'key' ? await endOfSession(store, caller.keyId, now) : []
    const writes: Write[] = [...otherWrites, { in: 'sessions', insert: begun.record }, ...brought]
    const { id: session_id } = begun.record
    const who = { keyId: session_id, personId: person.id, accountId: person.account_id }
    const note = { operation: 'auth.login', about: { session_id, by }, changed }
    const options = { session: begun.change }
    return commitAudited({ ...context, caller: who }, value, writes, note, options).catch(
      (cause: unknown) => {
        if (cause instanceof Unmet) overtaken?.(cause)
        throw cause
      },
    )
  })
  if (caller.kind === 'key') forgetCallers()
  return answer
}
