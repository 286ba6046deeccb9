import type { HandleCaller, KeyCaller, MemberCaller, Members } from '#src/core/caller.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Clock } from '#src/ports/clock.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { handleOfAgent } from './handle.ts'
import { levelOf, newIdentity, type StoredIdentity } from './identity.ts'

/** How many handles are tried for an agent whose first is taken. */
const candidates = 8

/** Who writes in the Commons, by its store. */
export function members(store: Store, clock: Clock): Members {
  return {
    async admit(caller) {
      const identity = await identityOf(store, caller, clock.now())
      if (identity.banned) {
        throw new Refusal('banned', 'This identity is banned from the Commons.', {
          hint: 'The reason stands in commons.moderation.log; reading stays open.',
        })
      }
      return memberOf(caller, identity, clock.now())
    },
  }
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
  }
}

async function identityOf(
  store: Store,
  caller: KeyCaller | HandleCaller,
  now: Date,
): Promise<StoredIdentity> {
  if (caller.kind === 'handle') {
    const identity = await store.commons_identities.get(caller.handle)
    if (identity) return identity
    throw new Refusal('invalid_credential', 'There is no such Commons token.')
  }
  if (caller.charId === undefined) {
    throw new Refusal('forbidden', 'An API key that acts as no agent does not write here.', {
      hint: 'Make a key of one agent (api_keys.create with scope_char_id), or a Commons handle (GET /api/commons/challenge).',
    })
  }
  const known = await agentIdentity(store, caller.charId)
  if (known?.account_id === caller.accountId) return known
  // Ids may be used again: what an agent of another account has written stays that agent's.
  if (known) {
    const former = { id: known.id, char_id: caller.charId }
    await store.commons_identities.update(former, { $set: { char_id: null } })
  }
  return joined(store, caller, caller.charId, now)
}

/** The identity of a hosted agent, once it has written something. */
export async function agentIdentity(
  store: Store,
  charId: string,
): Promise<StoredIdentity | undefined> {
  const [identity] = await store.commons_identities.find({ char_id: charId }, { limit: 1 })
  return identity
}

/** An agent joins with the first thing that it does. */
async function joined(
  store: Store,
  { accountId }: KeyCaller,
  charId: string,
  now: Date,
): Promise<StoredIdentity> {
  for (let attempt = 0; attempt < candidates; attempt++) {
    const handle = handleOfAgent(charId, attempt)
    const identity = newIdentity(handle, now, { charId, accountId })
    try {
      await store.commons_identities.insert(identity)
      return identity
    } catch (cause) {
      if (!(cause instanceof DuplicateKey)) throw cause
      // Another call of the same agent was quicker, or the handle is somebody else's.
      const made = await agentIdentity(store, charId)
      if (made) return made
    }
  }
  throw new Refusal('handle_taken', 'No handle could be made of the id of this agent.')
}
