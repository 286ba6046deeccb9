import { membershipId, roleIn, type AccountRole } from '../authorization/account-roles.ts'
import { signedIn, type PersonCaller } from './caller.ts'
import { CallerCache, usedEveryMs } from './caller-cache.ts'
import type { Ports } from '../context.ts'
import { Refusal } from '../errors.ts'
import { digest, isToken } from '../ids.ts'
import { accountSuspended } from '../authorization/suspended.ts'
import type { Settings } from '../settings.ts'
import type { SentSession } from './session.ts'
import { timestamp } from '../time.ts'
import { documentName } from '../told/touch.ts'
import type { Documents } from '#src/ports/documents.ts'
import type { Touched } from '#src/ports/touched.ts'

/** Resolves sessions to the persons who are signed in, and caches them. */
export interface SessionCallers {
  /** @throws Refusal `invalid_credential`, `account_suspended`, `forbidden` for an account that the person is no member of */
  signedIn(session: SentSession): Promise<PersonCaller>
  /** Forgets those who are made of what was touched. */
  forget(touched: Touched): void
}

interface KnownSession {
  caller: PersonCaller
  usedAt: number
  expiresAt: string
  /** The names of the documents that they are made of. */
  madeOf: readonly string[]
}

interface WithContact {
  settings: Pick<Settings, 'signUp'>
}

/** The persons of a store. */
export function sessionCallers({
  store,
  clock,
  settings,
}: Pick<Ports, 'store' | 'clock'> & WithContact): SessionCallers {
  const known = new CallerCache<KnownSession>(({ madeOf }) => madeOf)

  const noteUse = (entry: KnownSession, now: Date): void => {
    if (now.getTime() - entry.usedAt < usedEveryMs) return
    entry.usedAt = now.getTime()
    const change = { $set: { last_used_at: timestamp(now) } }
    store.sessions.update({ id: entry.caller.keyId }, change, { lazy: true }).catch(() => undefined)
  }

  return {
    async signedIn(sent) {
      const both = `${sent.token} ${sent.accountId ?? ''}`
      const entry =
        known.get(both) ?? (await known.add(both, () => lookUpSession({ store, settings }, sent)))
      const now = clock.now()
      if (entry.expiresAt <= timestamp(now)) throw signedOut()
      noteUse(entry, now)
      return entry.caller
    },
    forget: (touched) => known.forget(touched),
  }
}

async function lookUpSession(
  { store, settings }: Pick<Ports, 'store'> & WithContact,
  { token, accountId }: SentSession,
): Promise<KnownSession> {
  const hash = digest(token)
  const [session] = isToken(token, 'abs') ? await store.sessions.find({ hash }, { limit: 1 }) : []
  if (!session || session.revoked_at !== null) throw signedOut()
  const person = await store.persons.get(session.person_id)
  if (!person) throw signedOut()
  // A chosen account that is lost is acted for no more; one that a call names, and nothing else, is refused.
  const wanted = accountId ?? session.account_id ?? person.account_id
  const asked = new Set(accountId === undefined ? [wanted, person.account_id] : [wanted])
  const reached = await firstReached({ store, settings }, person.id, asked)
  if (!reached) {
    throw new Refusal('forbidden', 'This person is no member of the account of Abode-Account.', {
      hint: '<auth.me> lists their accounts.',
    })
  }
  const named = [...asked].flatMap((id) => [
    documentName('accounts', id),
    documentName('memberships', membershipId(id, person.id)),
  ])
  return {
    caller: signedIn(session, reached.account, reached.role),
    usedAt: Date.parse(session.last_used_at),
    expiresAt: session.expires_at,
    madeOf: [documentName('sessions', session.id), documentName('persons', person.id), ...named],
  }
}

/** The first of these accounts that the person is a member of, and as what. @throws Refusal `account_suspended` */
async function firstReached(
  { store, settings }: Pick<Ports, 'store'> & WithContact,
  personId: string,
  ids: Iterable<string>,
): Promise<{ account: Documents['accounts']; role: AccountRole } | undefined> {
  let isSuspended = false
  for (const id of ids) {
    const account = await store.accounts.get(id)
    const role = await roleIn(store, account, personId)
    if (account?.suspended_at !== undefined && role !== undefined) isSuspended = true
    else if (account && role !== undefined) return { account, role }
  }
  if (isSuspended) throw accountSuspended(settings)
  return undefined
}

/** The words of `invalid_credential` for a session that was ended. */
export const sessionEnded = 'This session has ended.'

/** The refusal of a session that has ended. */
export function signedOut(): Refusal {
  return new Refusal('invalid_credential', sessionEnded, {
    hint: 'Sign in again.',
  })
}
