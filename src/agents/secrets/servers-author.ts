import { isDeepStrictEqual } from 'node:util'
import type { StoredCharacter } from '../character.ts'
import { isOwner, type Author } from '../tasks/policy/owner-only.ts'
import { serversMember } from './sendings.ts'

/**
 * Notes who wrote the tool servers of an agent: where its secrets go is for its owner to say.
 * @param kept the agent as it was; undefined for a new one
 * @param moved members whose sealed secrets change
 */
export function withServersAuthor(
  next: StoredCharacter,
  {
    kept,
    author,
    moved = [],
  }: { kept: StoredCharacter | undefined; author: Author; moved?: readonly string[] },
): StoredCharacter {
  const isSame = isDeepStrictEqual(kept?.brain?.mcps ?? [], next.brain?.mcps ?? [])
  const isChanged = !isSame || moved.includes('brain/mcps')
  const words = isChanged ? (isOwner(author) ? [] : [serversMember]) : kept?.by_agent
  return words && words.length > 0 ? { ...next, by_agent: [...words] } : next
}
