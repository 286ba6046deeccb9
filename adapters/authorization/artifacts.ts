import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { GrantStore } from '#src/core/authorization/authorization.ts'
import { artifactId } from '#src/core/authorization/token-callers.ts'
import { digest } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Documents } from '#src/ports/documents.ts'
import type { Store } from '#src/ports/store.ts'

type OauthArtifact = Documents['oauth_artifacts']

/** How long a program that registers itself may take to be connected, in seconds. */
const unusedClientSeconds = 86_400

/** How long after its use a refresh token is no sign of theft. */
const graceSeconds = 10

/** What the authorization server is kept in. */
export interface Keeping {
  store: Store
  clock: Pick<Clock, 'now'>
  connections: GrantStore
  /** The error for what was used at the same moment by another request. */
  usedTwice: () => Error
}

/** Where the library keeps what it makes of one kind. */
export function keptBy(keeping: Keeping): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Client') return new Clients(keeping)
    return kind === 'Grant' ? new Grants(keeping) : new Artifacts(keeping, kind)
  }
}

/** Nothing of a kind is found by what it does not have. */
abstract class Kept implements Adapter {
  protected readonly keeping: Keeping

  constructor(keeping: Keeping) {
    this.keeping = keeping
  }

  abstract upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void>
  abstract find(id: string): Promise<AdapterPayload | undefined>
  abstract destroy(id: string): Promise<void>

  findByUserCode(_code: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(undefined)
  }

  findByUid(_uid: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(undefined)
  }

  consume(_id: string): Promise<void> {
    return Promise.resolve()
  }

  revokeByGrantId(_id: string): Promise<void> {
    return Promise.resolve()
  }
}

/** Programs that have registered themselves. */
class Clients extends Kept {
  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { store, clock } = this.keeping
    const now = clock.now()
    await store.oauth_clients.insert({
      id,
      metadata: JSON.stringify(payload),
      created_at: timestamp(now),
      expires_at: secondsAfter(now, unusedClientSeconds),
    })
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const client = await this.keeping.store.oauth_clients.get(id)
    // This server wrote it. When its time is over, it is deleted unless it is connected.
    return client && (JSON.parse(client.metadata) as AdapterPayload)
  }

  async destroy(id: string): Promise<void> {
    await this.keeping.store.oauth_clients.delete({ id })
  }
}

/** Connections; a person makes them, and the library reads and ends them. */
class Grants extends Kept {
  upsert(): Promise<void> {
    return Promise.reject(new Error('a grant is written with its connection'))
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await this.keeping.connections.grant(id)
    return grant === undefined ? undefined : { ...(JSON.parse(grant) as AdapterPayload), jti: id }
  }

  destroy(id: string): Promise<void> {
    return this.keeping.connections.end(id)
  }
}

/** Before the id of what was found by a code, in place of a secret that is not known. */
const byId = '#'

/** Whether a text could be taken for an id in place of a secret. */
export function isInPlaceOfSecret(text: string): boolean {
  return text.startsWith(byId)
}

/** Codes, tokens, requests and sessions under way: found by a digest of the secret that someone else holds. */
class Artifacts extends Kept {
  readonly #kind: string

  constructor(keeping: Keeping, kind: string) {
    super(keeping)
    this.#kind = kind
  }

  async upsert(secret: string, sent: AdapterPayload, expiresIn = 0): Promise<void> {
    const { store, clock } = this.keeping
    const id = this.#id(secret)
    const { jti: _secret, ...payload } = sent
    const { grantId, userCode } = payload
    const document = {
      id,
      payload: JSON.stringify(payload),
      grant_id: grantId ?? null,
      user_code: userCode === undefined ? null : digest(userCode),
      consumed_at: null,
      expires_at: secondsAfter(clock.now(), expiresIn),
    }
    const before = await store.oauth_artifacts.get(id)
    if (before) await store.commit([{ in: 'oauth_artifacts', update: { id }, replace: document }])
    else await store.oauth_artifacts.insert(document)
  }

  async find(secret: string): Promise<AdapterPayload | undefined> {
    const found = await this.keeping.store.oauth_artifacts.get(this.#id(secret))
    return (
      found && payloadOf(this.#justUsed(found) ? { ...found, consumed_at: null } : found, secret)
    )
  }

  /**
   * Whether a refresh token was used so short a time ago that the same program may have sent it twice, from two of its
   * processes or after a lost answer. It is refused then, but taken for no thief's.
   */
  #justUsed({ consumed_at }: OauthArtifact): boolean {
    if (this.#kind !== 'RefreshToken' || consumed_at === null) return false
    return consumed_at > secondsAfter(this.keeping.clock.now(), -graceSeconds)
  }

  override async findByUserCode(code: string): Promise<AdapterPayload | undefined> {
    const { oauth_artifacts: artifacts } = this.keeping.store
    const [found] = await artifacts.find({ user_code: digest(code) }, { limit: 1 })
    return found && payloadOf(found, byId + found.id)
  }

  /** Of two requests with one code, one alone goes on. */
  override async consume(secret: string): Promise<void> {
    const { store, clock, usedTwice } = this.keeping
    const id = this.#id(secret)
    const change = { $set: { consumed_at: timestamp(clock.now()) } }
    const won = await store.oauth_artifacts.update({ id, consumed_at: null }, change)
    if (!won) throw usedTwice()
  }

  async destroy(secret: string): Promise<void> {
    await this.keeping.store.oauth_artifacts.delete({ id: this.#id(secret) })
  }

  override async revokeByGrantId(grantId: string): Promise<void> {
    await this.keeping.store.oauth_artifacts.delete({ grant_id: grantId })
  }

  #id(secret: string): string {
    return isInPlaceOfSecret(secret) ? secret.slice(1) : artifactId(this.#kind, secret)
  }
}

function payloadOf(
  { payload, consumed_at }: { payload: string; consumed_at: string | null },
  secret: string,
): AdapterPayload {
  const consumed = consumed_at === null ? undefined : Math.floor(Date.parse(consumed_at) / 1000)
  // This server wrote it.
  const kept = JSON.parse(payload) as AdapterPayload
  return { ...kept, jti: secret, ...(consumed !== undefined && { consumed }) }
}
