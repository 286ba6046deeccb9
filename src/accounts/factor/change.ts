import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'
import { contended } from '#src/core/revision.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { commitAudited } from '../audit/commit.ts'
import { mailTo } from '../mail/mail.ts'
import { factorWords } from '../mail/words.ts'
import { whileSignedIn } from '../members/bound.ts'
import { inOwnAccount } from '../people/session.ts'
import type { StoredPerson } from '../people/person.ts'

type Here = Context<'person'>
const mailSeconds = 86_400

/** The person who is signed in. @throws Refusal `invalid_credential` */
export async function signedInPerson({
  store,
  caller,
}: Pick<Here, 'store' | 'caller'>): Promise<StoredPerson> {
  const person = await store.persons.get(caller.personId)
  return person ?? refuse('invalid_credential', sessionEnded)
}

/**
 * Ends a change of how a person signs in: recorded in the audit of their account, and where mails are sent told by one.
 * @param what what was changed, in a few words for the mail; none is sent without
 * @throws Refusal `write_conflict` where it was changed elsewhere meanwhile
 */
export async function changedEntry<T>(
  context: Here,
  answer: T,
  writes: readonly Write[],
  { operation, person, what }: { operation: string; person: StoredPerson; what?: string },
): Promise<Answer<T>> {
  const { store, caller, mailer, settings } = context
  const { email, account_id: accountId } = person
  const words = factorWords({ settings, email, address: settings.publicUrl }, what ?? '')
  const about = { kind: 'factor', to: email, accountId, holdsSeconds: mailSeconds } as const
  const mail = mailer && what !== undefined ? await mailTo(context, { ...about, ...words }) : []
  const note = { operation, about: {} }
  const who = await inOwnAccount(store, caller)
  const all = [whileSignedIn(caller.keyId), ...writes, ...mail]
  return commitAudited({ ...context, caller: who }, answer, all, note).catch((cause: unknown) => {
    if (!(cause instanceof Unmet)) throw cause
    if (cause.in === 'sessions') return refuse('invalid_credential', sessionEnded, { cause })
    return contended('It was changed elsewhere meanwhile.')
  })
}
