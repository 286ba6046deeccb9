import type { Caller } from '#src/core/admission/caller.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredCharacter } from '../character.ts'
import { isOpenTo } from './ability-access.ts'
import type { Visibility } from './visibility.ts'

/** What tells a level of `friends` that was set from one that was filled in, and is shown alike. */
type Levelled = Pick<StoredCharacter, 'visibility' | 'friends_private'>

/** A visibility with every level filled in, as it is stored and shown. */
export function withFriendsLevel(sent: Visibility | null): Levelled {
  const access = sent?.ability_access
  if (!sent || !access) return { visibility: sent }
  const { feed, chat, friends = 'private', ...rest } = access
  const visibility = { ...sent, ability_access: { feed, chat, friends, ...rest } }
  return { visibility, ...(access.friends === 'private' && { friends_private: true }) }
}

/** An agent as it was set: without a level of `friends` that was only filled in. */
export function asSet<T extends { visibility?: unknown }>(
  agent: T,
  mark: StoredCharacter['friends_private'],
): T {
  // Of a stored agent or of its text, so it has this form.
  const visibility = agent.visibility as Visibility | null | undefined
  if (mark === true || visibility?.ability_access?.friends !== 'private') return agent
  const { friends: _filled, ...access } = visibility.ability_access
  return { ...agent, visibility: { ...visibility, ability_access: access } }
}

/** An agent that sets its level of `friends` exactly if another one does. */
export function markedAs(
  { friends_private: mark }: Pick<StoredCharacter, 'friends_private'>,
  { friends_private: _own, ...agent }: StoredCharacter,
): StoredCharacter {
  return { ...agent, ...(mark && { friends_private: mark }) }
}

/** Whether an agent of the caller's may ask this one for friendship: everybody's, unless a level was set. */
export async function mayAsk(
  store: Pick<Store, 'apps' | 'edges' | 'subscriptions'>,
  agent: Levelled & Pick<StoredCharacter, 'id' | 'owner_id' | 'app_id'>,
  caller: Pick<Caller, 'accountId' | 'charId'>,
): Promise<boolean> {
  if (agent.owner_id === caller.accountId) return true
  const level = asSet(agent, agent.friends_private).visibility?.ability_access?.friends
  return level === undefined || isOpenTo(store, agent, 'friends', caller)
}
