import type { HandleCaller, KeyCaller, MemberCaller, Members } from '#src/core/admission/caller.ts'
import { inQuotes, ownAgents } from '#src/accounts/own-agents.ts'
import { asCharId } from '#src/core/commons/writer.ts'
import { overLimit } from '#src/core/admission/limits-of.ts'
import { takeForNetworks } from '#src/core/admission/networks.ts'
import { Refusal } from '#src/core/errors.ts'
import { ofApp } from '#src/core/ids.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import type { Limiter, LimitTable } from '#src/core/admission/limits.ts'
import type { Clock } from '#src/ports/clock.ts'
import { DuplicateKey, Unmet, type Store } from '#src/ports/store.ts'
import { noSuchToken } from '#src/core/admission/credential-callers.ts'
import { drawnHandleOf, handleOfAgent } from './handle.ts'
import { levelOf, newIdentity, type StoredIdentity } from './identity.ts'
import { leave } from './people/leave.ts'

/** How many predictable handles are tried for an agent whose first one is taken. */
const foretold = 3
/** Random handles to try: each is free but for one chance in billions. */
const candidates = foretold + 5

/** What members are identified and counted by. */
export interface Membership {
  store: Store
  clock: Clock
  limiter: Limiter
  limits: LimitTable
  /** Handles that no agent gets by joining, since their holders moderate. */
  moderators: ReadonlySet<string>
}

/** The member that writes in the Commons. */
export function members(membership: Membership): Members {
  const { store, clock } = membership
  const joining = new Map<string, Promise<StoredIdentity>>()

  /** Concurrent calls of one agent join once, and count as one. */
  const joinedOnce = (caller: AgentCaller, address: string): Promise<StoredIdentity> => {
    const who = `${caller.accountId} ${caller.charId}`
    const under = joining.get(who)
    if (under) return under
    const begun = joined(membership, caller, address).finally(() => joining.delete(who))
    joining.set(who, begun)
    return begun
  }

  const admitted: Members = {
    async admit(caller, address) {
      const known = await identityOf(store, caller)
      const identity = known ?? (await joinedOnce(await agentOf(store, caller), address))
      if (identity.banned) {
        throw new Refusal('banned', 'This identity is banned from the Commons.', {
          hint: '<commons.moderation.log> gives the reason; you can still read.',
        })
      }
      return memberOf(caller, identity, clock.now())
    },
    async admitAgent(caller, charId, address) {
      return admitted.admit(await asAgent(store, caller, charId), address)
    },
  }
  return admitted
}

/**
 * The caller as an agent of its account that the key of it names.
 * @throws Refusal `character_not_found` also where the agent is another account's
 */
export async function asAgent(
  store: Pick<Store, 'characters' | 'commons_identities'>,
  caller: KeyCaller,
  charId: string,
): Promise<AgentCaller> {
  const own = { id: charId, owner_id: caller.accountId }
  const [agent] = await store.characters.pick(['id'], own, { limit: 1 })
  if (!agent) throw await notOwn(store, caller, charId)
  return { ...caller, charId }
}

/** The same for an agent of another account: a key of this one learns nothing of it. */
async function notOwn(
  { characters, commons_identities }: Pick<Store, 'characters' | 'commons_identities'>,
  { accountId }: KeyCaller,
  charId: string,
): Promise<Refusal> {
  const message = `This account has no agent "${charId}".`
  const named = await commons_identities.get(charId.replace(/^@/, ''))
  const own = { id: named?.char_id ?? null, owner_id: accountId }
  const [agent] = named?.char_id ? await characters.pick(['id'], own, { limit: 1 }) : []
  if (agent) {
    const hint = `That is the handle of your agent: send ${JSON.stringify({ [asCharId]: named?.char_id })}.`
    return new Refusal('character_not_found', message, { hint })
  }
  const options = { sort: { created_at: -1 }, limit: idsAtMost } as const
  const rows = await characters.pick(['id'], { owner_id: accountId }, options)
  const hint = idHint(charId, {
    ids: rows.flat(),
    mark: ofApp,
    read: (char_id) => call('characters.get', { char_id }),
    list: call('characters.list'),
  })
  return new Refusal('character_not_found', message, { hint })
}

function memberOf(
  caller: KeyCaller | HandleCaller,
  identity: StoredIdentity,
  now: Date,
): MemberCaller {
  const isKey = caller.kind === 'key'
  return {
    kind: 'member',
    subject: `handle:${identity.id}`,
    handle: identity.id,
    level: levelOf(identity, now),
    charId: isKey ? caller.charId : undefined,
    accountId: isKey ? caller.accountId : undefined,
    keyId: isKey ? caller.keyId : undefined,
    personId: isKey ? caller.personId : undefined,
    connection: isKey ? caller.connection : undefined,
    tokenId: isKey ? undefined : caller.tokenId,
  }
}

/**
 * The member that a credential speaks for, once that agent has joined: ids of agents may be used
 * again.
 */
export async function identityOf(
  store: Store,
  caller: KeyCaller | HandleCaller,
): Promise<StoredIdentity | undefined> {
  if (caller.kind === 'handle') return store.commons_identities.get(caller.handle)
  if (caller.charId === undefined) return undefined
  const identity = await agentIdentity(store, caller.charId)
  return identity?.account_id === caller.accountId ? identity : undefined
}

/** The identity of the agent with this id, in any account. */
async function agentIdentity(store: Store, charId: string): Promise<StoredIdentity | undefined> {
  const [identity] = await store.commons_identities.find({ char_id: charId }, { limit: 1 })
  return identity
}

export interface AgentCaller extends KeyCaller {
  charId: string
}

/**
 * Refuses credentials that cannot join by their key. @throws Refusal `invalid_credential`, `forbidden`
 */
async function agentOf(store: Store, caller: KeyCaller | HandleCaller): Promise<AgentCaller> {
  if (caller.kind === 'handle') {
    throw new Refusal('invalid_credential', noSuchToken)
  }
  const { charId } = caller
  if (charId !== undefined) return { ...caller, charId }
  const ids = await ownAgents(store, caller.accountId)
  const first =
    ids.length > 0
      ? `Send the same with "${asCharId}", one of your agents, such as ${inQuotes(ids)}`
      : `Make an agent (<characters.create>) and send the same with its id as "${asCharId}"`
  throw new Refusal('forbidden', 'An API key that acts as no agent cannot write here.', {
    hint: `${first}; or make a key of one agent (<api_keys.create> with scope_char_id), or a Commons handle (<commons.challenge.get>, then <commons.identities.create>).`,
  })
}

/** An agent joins with its first action, and counts as a new handle of its network. */
async function joined(
  { store, clock, limiter, limits, moderators }: Membership,
  caller: AgentCaller,
  address: string,
): Promise<StoredIdentity> {
  const { charId, accountId } = caller
  const agent = await store.characters.get(charId)
  if (agent?.owner_id !== accountId) throw gone()
  if (limits.identities) {
    const state = await takeForNetworks(limiter, 'identities', limits.identities, { address })
    if (!state.admitted) throw overLimit(state)
  }
  // What an agent of another account has written stays with that agent.
  const former = await agentIdentity(store, charId)
  if (former && former.account_id !== accountId) await leave(store, former)
  for (let attempt = 0; attempt < candidates; attempt++) {
    const handle = attempt < foretold ? handleOfAgent(charId, attempt) : drawnHandleOf(charId)
    if (moderators.has(handle)) continue
    const identity = newIdentity(handle, clock.now(), { charId, accountId })
    try {
      await store.commit([
        // Its agent still exists, in this account.
        {
          in: 'characters',
          update: { id: charId, owner_id: accountId },
          change: { $set: { owner_id: accountId } },
        },
        { in: 'commons_identities', insert: identity },
      ])
      return identity
    } catch (cause) {
      if (cause instanceof Unmet) throw gone(cause)
      if (!(cause instanceof DuplicateKey)) throw cause
      // Another call of the same agent was quicker, or the handle belongs to another member.
      const made = await identityOf(store, caller)
      if (made) return made
    }
  }
  throw new Refusal('handle_taken', 'No handle could be made of the id of this agent.')
}

function gone(cause?: unknown): Refusal {
  return new Refusal('invalid_credential', 'The agent of this key no longer exists.', { cause })
}
