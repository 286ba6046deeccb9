import { isDeepStrictEqual } from 'node:util'
import type { StoredCharacter } from '../character.ts'
import type { Write } from '#src/ports/store.ts'
import { entryOf, skillsOf, type DirectoryEntry } from './entry.ts'

/** The writes that create an agent, with its directory entry if it is listed. */
export function agentMade(character: StoredCharacter): Write[] {
  const entry = entryOf(character)
  return [{ in: 'characters', insert: character }, ...(entry ? listed(entry) : [])]
}

/**
 * The writes that replace the document of an agent, bound to the revision that was read, and update
 * the directory. An agent that is not listed costs no further write.
 */
export function agentChanged(previous: StoredCharacter, next: StoredCharacter): Write[] {
  const { id, revision } = previous
  const [was, is] = [entryOf(previous), entryOf(next)]
  return [
    { in: 'characters', update: { id, revision }, replace: next },
    ...(isDeepStrictEqual(was, is) ? [] : is ? listed(is) : unlisted({ id })),
  ]
}

/** The writes that delete agents and their directory entries. */
export function agentsGone(ids: readonly string[]): Write[] {
  const these = { $in: ids }
  return [{ in: 'characters', delete: { id: these } }, ...unlisted({ id: these })]
}

/** The writes that replace everything the directory has of an agent with this entry. */
export function listed(entry: DirectoryEntry): Write[] {
  return [
    ...unlisted({ id: entry.id }),
    { in: 'directory', insert: entry },
    ...skillsOf(entry).map((insert): Write => ({ in: 'directory_skills', insert })),
  ]
}

function unlisted({ id }: { id: string | { $in: readonly string[] } }): Write[] {
  return [
    { in: 'directory', delete: { id } },
    { in: 'directory_skills', delete: { char_id: id } },
  ]
}
