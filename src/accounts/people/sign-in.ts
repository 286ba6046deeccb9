import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import type { Write } from '#src/ports/store.ts'
import { publicPerson, type Person, type StoredPerson } from './person.ts'
import { endOfSession, newSession } from './session.ts'

/** The person who is signed in, and their own account. */
export interface SignedIn {
  person: Person
  account_id: string
}

/**
 * Signs a person in at the browser of the call. The session is always a new one and the browser's previous
 * one ends, so that a token which someone else has planted there is useless afterwards.
 * @param otherWrites go into the same commit
 */
export async function signIn(
  context: Context<'none'>,
  person: StoredPerson,
  otherWrites: readonly Write[] = [],
): Promise<Answer<SignedIn>> {
  const { store, caller, clock, commit, forgetCallers } = context
  const value = { person: publicPerson(person), account_id: person.account_id }
  const answer = await retryUnmet(async () => {
    const now = clock.now()
    const begun = newSession(person, context, now)
    const brought = caller.kind === 'key' ? await endOfSession(store, caller.keyId, now) : []
    const writes: Write[] = [...otherWrites, { in: 'sessions', insert: begun.record }, ...brought]
    return commit(value, writes, { session: begun.change })
  })
  if (caller.kind === 'key') forgetCallers()
  return answer
}
