import type { StoredCharacter } from '../character.ts'
import { refuse } from '#src/core/errors.ts'
import type { Store } from '#src/ports/store.ts'

/**
 * A public agent by its id. Whether a private one exists is not revealed.
 * @throws Refusal `character_not_found`
 */
export async function publicAgent(
  { characters }: Pick<Store, 'characters'>,
  charId: string,
): Promise<StoredCharacter> {
  const character = await characters.get(charId)
  const level = character?.visibility?.profile_visibility ?? 'private'
  return character && level !== 'private' ? character : noPublicAgent(charId)
}

/**
 * @param own what is said of the caller's own agents
 * @throws Refusal always, the same for one that is private, closed, or not there at all
 */
export function noPublicAgent(charId: string, own?: string): never {
  return refuse('character_not_found', `There is no public agent "${charId}".`, {
    hint: `${own === undefined ? '' : `${own} `}<public.agents.list> lists those that are public.`,
  })
}
