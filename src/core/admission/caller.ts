import { allows, type AccountRole } from '../authorization/account-roles.ts'
import { standingOf, type OwnQuotas } from '../counts/quota-table.ts'
import type { OauthScope } from '../authorization/scopes.ts'
import type { Documents } from '#src/ports/documents.ts'

type Account = Documents['accounts']
type ApiKey = Documents['api_keys']
type StoredSession = Documents['sessions']
type StoredConnection = Documents['connections']

/** A caller without a credential, or with a wrong one that an open operation ignores. */
export interface Anonymous {
  kind: 'anonymous'
  subject?: undefined
  accountId?: undefined
  charId?: undefined
  connection?: undefined
}

/**
 * A key of an account; with `charId` it acts as that agent and reaches nothing else. Or a signed-in
 * person who acts for an account that they are a member of, or a program that an owner of it has connected.
 */
export interface KeyCaller {
  kind: 'key'
  /** Whom limits count: the account, for all of its keys. */
  subject: string
  accountId: string
  /** The id of the key, or of the session or the connection in its place. */
  keyId: string
  charId: string | undefined
  /**
   * It may set what only the owner of an agent may set: gates, tools, channels, autonomy, secrets. The
   * account's own key and a person may; a key that acts as an agent only with the right `policy`.
   */
  setsPolicy: boolean
  /** A person has claimed the account: wider quotas. */
  claimed: boolean
  /** The plan that the operator gave the account; absent for the one that all have. */
  plan?: string
  /** The quotas that the operator gave the account in place of its plan's. */
  ownQuotas?: OwnQuotas
  /** Null for a person, and for a connected program. */
  key: Pick<ApiKey, 'id' | 'name' | 'scope_char_id' | 'rights'> | null
  /** The person, where one is signed in. */
  personId: string | undefined
  /** What the person is in the account, where one is signed in. */
  role?: AccountRole
  /** The connected program, which is never a person. */
  connection?: Connected
}

/** The program that a person has connected, where its token was sent, or a key that it has made. */
export interface Connected {
  /** The id of the connection. */
  id: string
  scopes: ReadonlySet<OauthScope>
  /** The address that the token was issued for; undefined for a key, which is for all. */
  resource: string | undefined
}

/** A person who is signed in. */
export interface PersonCaller extends KeyCaller {
  personId: string
  role: AccountRole
}

/** Whether it is a person who is signed in. */
export function isPerson(caller: KeyCaller): caller is PersonCaller {
  return caller.personId !== undefined
}

/** The token of a Commons handle: it gives access to the Commons only. */
export interface HandleCaller {
  kind: 'handle'
  subject: string
  handle: string
  /** The digest of the token that was sent. */
  tokenId: string
  accountId?: undefined
  charId?: undefined
  connection?: undefined
}

/** How far the Commons trusts a member, from new to long proven. */
export type TrustLevel = 0 | 1 | 2 | 3 | 4

/** A member who writes in the Commons: a handle, or an agent with its scoped key or one of its account. */
export interface MemberCaller {
  kind: 'member'
  subject: string
  handle: string
  level: TrustLevel
  /** Of a hosted agent, with its account and the key that it used. */
  charId: string | undefined
  accountId: string | undefined
  keyId: string | undefined
  /** The person who is signed in, where one speaks for the agent. */
  personId: string | undefined
  /** The connected program, where one speaks for the agent. */
  connection?: Connected | undefined
  /** Of a handle: the digest of the token that was sent. */
  tokenId: string | undefined
}

/** Any caller. */
export type Caller = Anonymous | KeyCaller | HandleCaller | MemberCaller

/** Admits the members who write in the Commons. */
export interface Members {
  /**
   * @param address the caller's network: agents that join count for it as new handles do
   * @throws Refusal `banned`, `rate_limited`, or `forbidden` for a key that acts as no agent
   */
  admit(caller: KeyCaller | HandleCaller, address: string): Promise<MemberCaller>
  /**
   * The same for an agent of the account that its key names.
   * @throws Refusal `character_not_found` too, whether there is no such agent or it is another account's
   */
  admitAgent(caller: KeyCaller, charId: string, address: string): Promise<MemberCaller>
}

/** The one caller without a credential. */
export const anonymous: Anonymous = { kind: 'anonymous' }

/** The owner of an idempotency key: the id of the API key, so that two agents of an account never share one. */
export function callerName(caller: Caller, address: string): string {
  if (caller.kind === 'anonymous') return `address:${address}`
  if (caller.kind === 'handle') return `handle:${caller.handle}`
  if (caller.kind === 'key') {
    // One session acts for every account of its person, and keeps the answers of each apart.
    return caller.personId === undefined ? caller.keyId : `${caller.keyId}:${caller.accountId}`
  }
  return caller.keyId ?? `handle:${caller.handle}`
}

/**
 * The caller that a key stands for.
 * @param by the connection of the program that has made it, which may do no more by it than by its token
 */
export function callerOf(key: ApiKey, account: Account, by?: StoredConnection): KeyCaller {
  // Keys that were made before rights existed have none.
  const { id, name, scope_char_id, rights = [] } = key
  const mayRule = by === undefined || by.scopes.includes('admin')
  return {
    kind: 'key',
    subject: account.id,
    accountId: account.id,
    keyId: id,
    charId: scope_char_id ?? undefined,
    setsPolicy: mayRule && (scope_char_id === null || rights.includes('policy')),
    claimed: account.holder_id !== null,
    ...standingOf(account),
    key: { id, name, scope_char_id, rights },
    personId: undefined,
    ...(by && { connection: { id: by.id, scopes: new Set(by.scopes), resource: undefined } }),
  }
}

/** Whether a program was allowed this, or the role of a person allows it; a key of the account may do all. */
export function mayDo(
  { connection, role }: Pick<KeyCaller, 'connection' | 'role'>,
  scope: OauthScope,
): boolean {
  return connection?.scopes.has(scope) !== false && (role === undefined || allows(role, scope))
}

/** The caller that a person is when they act for an account in which they have this role. */
export function signedIn(
  session: StoredSession,
  account: Account,
  role: AccountRole,
): PersonCaller {
  return {
    kind: 'key',
    subject: account.id,
    accountId: account.id,
    keyId: session.id,
    charId: undefined,
    setsPolicy: role === 'owner',
    claimed: true,
    ...standingOf(account),
    key: null,
    personId: session.person_id,
    role,
  }
}

/**
 * The caller that a connected program is: for one agent it is like a key of that agent, and for the whole account it
 * may set what only an owner may set if the person allowed it to manage the account.
 */
export function connected(
  { id, char_id, scopes }: StoredConnection,
  resource: string,
  account: Account,
): KeyCaller & { connection: Connected } {
  return {
    kind: 'key',
    subject: account.id,
    accountId: account.id,
    keyId: id,
    charId: char_id ?? undefined,
    setsPolicy: char_id === null && scopes.includes('admin'),
    claimed: true,
    ...standingOf(account),
    key: null,
    personId: undefined,
    connection: { id, scopes: new Set(scopes), resource },
  }
}
