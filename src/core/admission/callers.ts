import {
  callerOf,
  signedIn,
  type HandleCaller,
  type KeyCaller,
  type PersonCaller,
} from './caller.ts'
import type { Ports } from '../context.ts'
import { Refusal } from '../errors.ts'
import { digest, isToken } from '../ids.ts'
import type { Settings } from '../settings.ts'
import type { SentSession } from './session.ts'
import type { SignUp } from './sign-up-mode.ts'
import { howToGetHandle, howToGetKey } from './sign-up.ts'
import { timestamp } from '../time.ts'

const rememberedAtMost = 10_000
const usedEveryMs = 60_000
/** After this long without a call a caller is looked up again: its account may be closed by then. */
const rememberedForMs = 3_600_000

/** Resolves credentials to callers, and caches them until something changes. */
export interface Callers {
  /** @throws Refusal `invalid_credential`, `token_revoked` */
  identify(credential: string): Promise<KeyCaller | HandleCaller>
  /** @throws Refusal `invalid_credential`, `forbidden` for an account that the person does not hold */
  signedIn(session: SentSession): Promise<PersonCaller>
  /** Clears the cache: after a key was revoked or an account changed, here or in another process. */
  forget(): void
}

interface Known {
  caller: KeyCaller | HandleCaller
  usedAt: number
}

interface KnownSession {
  caller: PersonCaller
  usedAt: number
  expiresAt: string
}

/** The callers of a store; the cache is cleared when any process changes them. */
export function callers({
  store,
  clock,
  settings,
}: Pick<Ports, 'store' | 'clock'> & { settings: Pick<Settings, 'signUp'> }): Callers {
  const { wrong, joining, copying } = refusalsFor(settings.signUp)
  const known = new Map<string, Known>()
  const sessions = new Map<string, KnownSession>()
  // Counts changes, so that the result of a look-up that began before a change is not cached after it.
  let generation = 0
  const forget = (): void => {
    generation += 1
    known.clear()
    sessions.clear()
  }
  store.watch(forget)

  const remember = (credential: string, entry: Known, begun: number): void => {
    if (begun !== generation) return
    if (known.size >= rememberedAtMost) known.clear()
    known.set(credential, entry)
  }

  const lookUp = async (credential: string): Promise<KeyCaller> => {
    const begun = generation
    const [key] = await store.api_keys.find({ hash: digest(credential) }, { limit: 1 })
    if (!key) throw wrong('There is no such API key.')
    if (key.revoked_at) throw wrong('This API key was revoked.')
    const account = await store.accounts.get(key.account_id)
    if (!account) throw wrong('There is no such API key.')
    if (account.closed_at) throw wrong('The account of this API key was closed.')
    const caller = callerOf(key, account)
    remember(credential, { caller, usedAt: Date.parse(key.last_used_at ?? key.created_at) }, begun)
    return caller
  }

  const lookUpHandle = async (credential: string): Promise<HandleCaller> => {
    const begun = generation
    const tokenId = digest(credential)
    const token = await store.commons_tokens.get(tokenId)
    if (!token) throw wrong('There is no such Commons token.', joining)
    if (token.revoked_at) {
      throw new Refusal('token_revoked', 'This Commons token was replaced by a newer one.', {
        hint: 'Use the token that commons.identities.rotate gave, or make a new handle.',
      })
    }
    const { handle } = token
    const caller: HandleCaller = { kind: 'handle', subject: `handle:${handle}`, handle, tokenId }
    remember(credential, { caller, usedAt: 0 }, begun)
    return caller
  }

  const lookUpSession = async ({ token, accountId }: SentSession): Promise<KnownSession> => {
    const begun = generation
    const hash = digest(token)
    const [session] = isToken(token, 'abs') ? await store.sessions.find({ hash }, { limit: 1 }) : []
    if (!session || session.revoked_at !== null) throw signedOut()
    const person = await store.persons.get(session.person_id)
    if (!person) throw signedOut()
    const account = await store.accounts.get(accountId ?? person.account_id)
    if (account?.holder_id !== person.id) {
      throw new Refusal('forbidden', 'This person does not hold the account of Abode-Account.', {
        hint: 'auth.me lists the accounts that they hold.',
      })
    }
    const usedAt = Date.parse(session.last_used_at)
    const entry = { caller: signedIn(session, account), usedAt, expiresAt: session.expires_at }
    if (begun === generation) {
      if (sessions.size >= rememberedAtMost) sessions.clear()
      sessions.set(`${token} ${accountId ?? ''}`, entry)
    }
    return entry
  }

  const noteSession = (entry: KnownSession, now: Date): void => {
    if (now.getTime() - entry.usedAt < usedEveryMs) return
    entry.usedAt = now.getTime()
    const change = { $set: { last_used_at: timestamp(now) } }
    store.sessions.update({ id: entry.caller.keyId }, change, { lazy: true }).catch(() => undefined)
  }

  const wasHere = ({ caller, usedAt }: Known): boolean =>
    caller.kind !== 'key' || clock.now().getTime() - usedAt < rememberedForMs

  const noteUse = (entry: Known): void => {
    const { caller, usedAt } = entry
    const now = clock.now()
    if (caller.kind !== 'key' || now.getTime() - usedAt < usedEveryMs) return
    entry.usedAt = now.getTime()
    const change = { $set: { last_used_at: now.toISOString() } }
    // The call does not wait for this; if the write fails, the next use of the key writes the time.
    store.api_keys.update({ id: caller.keyId }, change, { lazy: true }).catch(() => undefined)
  }

  return {
    async identify(credential) {
      const entry = known.get(credential)
      if (entry && wasHere(entry)) {
        noteUse(entry)
        return entry.caller
      }
      if (isToken(credential, 'cmn')) return lookUpHandle(credential)
      if (credential.startsWith('cmn_')) {
        throw wrong('This is not a Commons token.', copying)
      }
      if (!isToken(credential, 'ab')) throw wrong('This is not an API key.')
      const caller = await lookUp(credential)
      const made = known.get(credential)
      if (made) noteUse(made)
      return caller
    },
    async signedIn(sent) {
      const entry =
        sessions.get(`${sent.token} ${sent.accountId ?? ''}`) ?? (await lookUpSession(sent))
      const now = clock.now()
      if (entry.expiresAt <= timestamp(now)) throw signedOut()
      noteSession(entry, now)
      return entry.caller
    },
    forget,
  }
}

function signedOut(): Refusal {
  return new Refusal('invalid_credential', 'This session has ended.', {
    hint: 'Sign in again.',
  })
}

/** What a caller with a wrong credential is told, with how to get another one here. */
function refusalsFor(signUp: SignUp) {
  const claiming = howToGetKey(signUp, '')
  const joining = howToGetHandle(signUp, '')
  return {
    joining,
    copying: `It was cut or mistyped: copy it again. If it is lost: ${joining}`,
    wrong: (message: string, hint = claiming): Refusal =>
      new Refusal('invalid_credential', message, { hint }),
  }
}
