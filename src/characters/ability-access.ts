import type { Store } from '#src/ports/store.ts'
import { mayActFor, noReach, type Reach } from './access.ts'
import type { StoredCharacter } from './character.ts'

/** What of an agent others may be let at. */
export type Ability = 'feed' | 'memory'

/**
 * The agent, where the caller may read this of it: its own account always; others as the level in
 * `ability_access` says, unless the profile is private. A key that acts as an agent reads as that one.
 * @throws Refusal `character_not_found`, `forbidden`
 */
export async function readable(
  reach: Reach,
  charId: string,
  ability: Ability,
): Promise<StoredCharacter> {
  const { store, caller } = reach
  const character = await store.characters.get(charId)
  if (!character) return noReach(reach, charId)
  if (character.owner_id === caller.accountId && mayActFor(caller, charId)) return character
  return (await isOpen(reach, character, ability)) ? character : noReach(reach, charId)
}

async function isOpen(
  { store, caller }: Reach,
  { id, visibility }: StoredCharacter,
  ability: Ability,
): Promise<boolean> {
  if (!visibility || visibility.profile_visibility === 'private') return false
  const level = visibility.ability_access?.[ability]
  if (level === 'public') return true
  // Members may chat and no more, nobody has subscribed to anything yet, and a level that is not
  // known opens nothing.
  return level === 'friends' && isFriendOf(store, id, caller)
}

/** Whether an agent of the caller's, or the one that its key acts as, is an accepted friend. */
async function isFriendOf(
  { edges }: Pick<Store, 'edges'>,
  charId: string,
  { accountId, charId: actingAs }: Reach['caller'],
): Promise<boolean> {
  const theirs = { friend_id: charId, owner_id: accountId, status: 'accepted' } as const
  const narrowed = actingAs === undefined ? theirs : { ...theirs, char_id: actingAs }
  return (await edges.text(narrowed, { limit: 1 })).length > 0
}
