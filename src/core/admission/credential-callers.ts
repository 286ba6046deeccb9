import { membershipId } from '../authorization/account-roles.ts'
import { isInForce } from '../authorization/in-force.ts'
import { callerOf, type HandleCaller, type KeyCaller } from './caller.ts'
import { notBearer, theOnlyPlace } from './misplaced.ts'
import { CallerCache, usedEveryMs } from './caller-cache.ts'
import type { Ports } from '../context.ts'
import { Refusal } from '../errors.ts'
import { digest, isToken } from '../ids.ts'
import { documentName } from '../told/touch.ts'
import { call } from '../words/reference.ts'
import type { Touched } from '#src/ports/touched.ts'
import type { Settings } from '../settings.ts'
import { accountSuspended } from '../authorization/suspended.ts'
import type { SignUp } from './sign-up-mode.ts'
import { wayToHandle, wayToKey } from './sign-up.ts'

/** After this long without a call a caller is looked up again: its account may be closed by then. */
const rememberedForMs = 3_600_000

const noSuchKey = 'There is no such API key.'
/** The words of `invalid_credential` for a token of the Commons. */
export const noSuchToken = 'There is no such Commons token.'

/** Resolves API keys and the tokens of Commons handles to callers, and caches them. */
export interface CredentialCallers {
  /**
   * @param address the caller's network, where the use of a key from there is to be noted
   * @throws Refusal `invalid_credential`, `token_revoked`, `account_suspended`
   */
  identify(credential: string, address?: string): Promise<KeyCaller | HandleCaller>
  /** Forgets those who are made of what was touched. */
  forget(touched: Touched): void
}

interface Known {
  caller: KeyCaller | HandleCaller
  usedAt: number
  /** The networks that a key was used from; undefined for a handle. */
  networks?: Set<string>
  /** The membership of the person whose program has made a key. */
  membership?: string
}

interface WithContact {
  settings: Pick<Settings, 'signUp'>
}

/** The keys and handles of a store. */
export function credentialCallers({
  store,
  clock,
  settings,
  networkUsed,
}: Pick<Ports, 'store' | 'clock' | 'networkUsed'> & WithContact): CredentialCallers {
  const refusals = refusalsFor(settings.signUp)
  const known = new CallerCache<Known>(madeOf)

  const wasHere = ({ caller, usedAt }: Known): boolean =>
    caller.kind !== 'key' || clock.now().getTime() - usedAt < rememberedForMs

  const noteUse = (entry: Known): void => {
    const { caller, usedAt } = entry
    const now = clock.now()
    // A clock that was set back makes a use look far ahead.
    const isNoted = Math.abs(now.getTime() - usedAt) < usedEveryMs
    if (caller.kind !== 'key' || isNoted) return
    entry.usedAt = now.getTime()
    const change = { $set: { last_used_at: now.toISOString() } }
    // The call does not wait for this; if the write fails, the next use of the key writes the time.
    store.api_keys.update({ id: caller.keyId }, change, { lazy: true }).catch(() => {
      entry.usedAt = usedAt
    })
  }

  /** The call does not wait for this either; if it fails, the next use from there tries again. */
  const noteNetwork = ({ caller, networks }: Known, address: string | undefined): void => {
    if (caller.kind !== 'key' || address === undefined || !networks) return
    if (networks.has(address)) return
    networks.add(address)
    networkUsed({ store, clock }, caller.keyId, address).catch(() => networks.delete(address))
  }

  const lookUp = (credential: string): Promise<Known> => {
    if (isToken(credential, 'cmn')) return lookUpHandle(store, credential, refusals)
    if (credential.startsWith('cmn_')) {
      throw refusals.wrong('This is not a Commons token.', refusals.copying)
    }
    if (!isToken(credential, 'ab')) throw notKey(credential, refusals)
    return lookUpKey({ store, clock, settings }, credential, refusals)
  }

  return {
    async identify(credential, address) {
      const cached = known.get(credential)
      const entry =
        cached && wasHere(cached) ? cached : await known.add(credential, () => lookUp(credential))
      noteUse(entry)
      noteNetwork(entry, address)
      return entry.caller
    },
    forget: (touched) => known.forget(touched),
  }
}

/** The documents that a caller is made of. */
function madeOf({ caller, membership }: Known): string[] {
  if (caller.kind === 'handle') return [documentName('commons_tokens', caller.tokenId)]
  const { keyId, accountId, connection } = caller
  const own = [documentName('api_keys', keyId), documentName('accounts', accountId)]
  if (!connection) return own
  const owners = membership === undefined ? [] : [documentName('memberships', membership)]
  return [...own, documentName('connections', connection.id), ...owners]
}

/** What was sent where a key belongs may hold one all the same, or a part of one. */
function notKey(credential: string, { wrong, lost }: Refusals): Refusal {
  if (/^act_/i.test(credential)) return claimToken()
  const message = 'This is not an API key.'
  const sent = credential.slice(0, 400)
  if (/\s(?:ab|cmn)_/.test(sent) || holdsKey(sent)) return wrong(message, theOnlyPlace)
  if (/\s/.test(sent)) return notBearer()
  return credential.startsWith('ab_') ? wrong(message, lost) : wrong(message)
}

/** Who has a claim token has an account: it is not the way to a second one. */
function claimToken(): Refusal {
  return new Refusal('invalid_credential', 'This is a claim token, and not an API key.', {
    hint:
      `It gives its key back: ${call('agent_claim.status')} with it as "token". Where that key was revoked, ` +
      `${call('agent_claim.recover')} with it as "claim_token" gives a new one.`,
  })
}

/** Whether a name and a password of HTTP's own scheme hold one. */
function holdsKey(sent: string): boolean {
  const [, pair] = /^basic\s+([\w+/=-]+)/i.exec(sent) ?? []
  return pair !== undefined && /(?:^|:)(?:ab|cmn)_/.test(Buffer.from(pair, 'base64').toString())
}

async function lookUpKey(
  { store, clock, settings }: Pick<Ports, 'store' | 'clock'> & WithContact,
  credential: string,
  { wrong, rescoped }: Refusals,
): Promise<Known> {
  const [key] = await store.api_keys.find({ hash: digest(credential) }, { limit: 1 })
  if (!key) throw wrong(noSuchKey)
  if (key.revoked_at) {
    throw wrong('This API key was revoked.', key.scope_char_id ? rescoped : undefined)
  }
  const account = await store.accounts.get(key.account_id)
  if (!account) throw wrong(noSuchKey)
  if (account.closed_at) throw wrong('The account of this API key was closed.')
  if (account.suspended_at) throw accountSuspended(settings)
  const by = key.made_by === undefined ? undefined : await store.connections.get(key.made_by)
  if (key.made_by !== undefined && !(await isInForce(store, by, account, clock.now()))) {
    throw wrong('The program that made this API key is no longer connected.')
  }
  const { last_used_at, networks = [] } = key
  // One that was never used is noted at its first use.
  const usedAt = last_used_at === null ? 0 : Date.parse(last_used_at)
  const membership = by && { membership: membershipId(account.id, by.person_id) }
  return { caller: callerOf(key, account, by), usedAt, networks: new Set(networks), ...membership }
}

async function lookUpHandle(
  store: Ports['store'],
  credential: string,
  { wrong, joining }: Refusals,
): Promise<Known> {
  const tokenId = digest(credential)
  const token = await store.commons_tokens.get(tokenId)
  if (!token) throw wrong(noSuchToken, joining)
  if (token.revoked_at) {
    throw new Refusal('token_revoked', 'This Commons token was replaced by a newer one.', {
      hint: 'Use the token that <commons.identities.rotate> gave, or make a new handle.',
    })
  }
  const { handle } = token
  const caller: HandleCaller = { kind: 'handle', subject: `handle:${handle}`, handle, tokenId }
  return { caller, usedAt: 0 }
}

type Refusals = ReturnType<typeof refusalsFor>

/** What a caller with a wrong credential is told, with how to get another one here. */
function refusalsFor(signUp: SignUp) {
  const claiming = wayToKey(signUp)
  const joining = wayToHandle(signUp)
  const again = 'It was cut or mistyped: copy it again. If it is lost: '
  return {
    joining,
    copying: again + joining,
    lost: again + claiming,
    rescoped:
      'It acted as one agent, whose keys go with it. <api_keys.create> makes another, with a key of the account that is not scoped.',
    wrong: (message: string, hint = claiming): Refusal =>
      new Refusal('invalid_credential', message, { hint }),
  }
}
