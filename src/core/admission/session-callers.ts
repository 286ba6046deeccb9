import { signedIn, type PersonCaller } from './caller.ts'
import { CallerCache, usedEveryMs } from './caller-cache.ts'
import type { Ports } from '../context.ts'
import { Refusal } from '../errors.ts'
import { digest, isToken } from '../ids.ts'
import type { SentSession } from './session.ts'
import { timestamp } from '../time.ts'
import { documentName } from '../told/touch.ts'
import type { Touched } from '#src/ports/touched.ts'

/** Resolves sessions to the persons who are signed in, and caches them. */
export interface SessionCallers {
  /** @throws Refusal `invalid_credential`, `forbidden` for an account that the person does not hold */
  signedIn(session: SentSession): Promise<PersonCaller>
  /** Forgets those who are made of what was touched. */
  forget(touched: Touched): void
}

interface KnownSession {
  caller: PersonCaller
  usedAt: number
  expiresAt: string
}

/** The persons of a store. */
export function sessionCallers({ store, clock }: Pick<Ports, 'store' | 'clock'>): SessionCallers {
  const known = new CallerCache<KnownSession>(madeOf)

  const noteUse = (entry: KnownSession, now: Date): void => {
    if (now.getTime() - entry.usedAt < usedEveryMs) return
    entry.usedAt = now.getTime()
    const change = { $set: { last_used_at: timestamp(now) } }
    store.sessions.update({ id: entry.caller.keyId }, change, { lazy: true }).catch(() => undefined)
  }

  return {
    async signedIn(sent) {
      const both = `${sent.token} ${sent.accountId ?? ''}`
      const entry = known.get(both) ?? (await known.add(both, () => lookUpSession(store, sent)))
      const now = clock.now()
      if (entry.expiresAt <= timestamp(now)) throw signedOut()
      noteUse(entry, now)
      return entry.caller
    },
    forget: (touched) => known.forget(touched),
  }
}

/** The documents that a signed-in person is made of. */
function madeOf({ caller }: KnownSession): string[] {
  return [
    documentName('sessions', caller.keyId),
    documentName('persons', caller.personId),
    documentName('accounts', caller.accountId),
  ]
}

async function lookUpSession(
  store: Ports['store'],
  { token, accountId }: SentSession,
): Promise<KnownSession> {
  const hash = digest(token)
  const [session] = isToken(token, 'abs') ? await store.sessions.find({ hash }, { limit: 1 }) : []
  if (!session || session.revoked_at !== null) throw signedOut()
  const person = await store.persons.get(session.person_id)
  if (!person) throw signedOut()
  const account = await store.accounts.get(accountId ?? person.account_id)
  if (account?.holder_id !== person.id) {
    throw new Refusal('forbidden', 'This person does not hold the account of Abode-Account.', {
      hint: '<auth.me> lists the accounts that they hold.',
    })
  }
  const usedAt = Date.parse(session.last_used_at)
  return { caller: signedIn(session, account), usedAt, expiresAt: session.expires_at }
}

/** The words of `invalid_credential` for a session that was ended. */
export const sessionEnded = 'This session has ended.'

/** The refusal of a session that has ended. */
export function signedOut(): Refusal {
  return new Refusal('invalid_credential', sessionEnded, {
    hint: 'Sign in again.',
  })
}
