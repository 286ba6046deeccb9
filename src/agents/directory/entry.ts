import type { StoredCharacter } from '../character.ts'
import { isFeedOpen, publicSelf, type PublicSelf } from '../public/profile.ts'

/** A publicly listed agent, under its own id. Nothing private of it is in here. */
export interface DirectoryEntry {
  id: string
  /** Of the agent, RFC 3339. */
  created_at: string
  profile: PublicSelf
  is_feed_open: boolean
  /** Its account, if that is to be shown. */
  owner_id: string | null
  /** What it is found by: the most significant words, and all others. */
  heading: string
  words: string
  /** Its skills as `skillKey` returns them. */
  skill_keys: string[]
}

/** A skill of a listed agent, stored under `char_id/position`. */
export interface DirectorySkill {
  id: string
  char_id: string
  skill: string
  /** Of the agent, RFC 3339. */
  created_at: string
}

/** An agent is found by at most this many of its skills, the first ones. */
export const skillsAtMost = 50
/** Longer skills are not indexed. */
const skillCharactersAtMost = 100
const headingCharactersAtMost = 4000
const wordsCharactersAtMost = 20_000

/** A skill as a search key: letter case, forms of characters and blanks make no difference. */
export function skillKey(skill: string): string {
  return skill.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Whether an agent is listed in the directory. */
export function isListed({ visibility }: Pick<StoredCharacter, 'visibility'>): boolean {
  return visibility?.profile_visibility === 'public' && visibility.show_in_directory
}

/** The entry of an agent; undefined if it is not listed. */
export function entryOf(character: StoredCharacter): DirectoryEntry | undefined {
  if (!isListed(character)) return undefined
  const profile = publicSelf(character)
  const { id, name, public_bio, role, tagline, bio, skills, tools, knowledge_domains } = profile
  const { traits = [], ...manner } = profile.personality ?? {}
  const words = [public_bio, bio, ...(tools ?? []), ...(knowledge_domains ?? []), ...traits]
  return {
    id,
    created_at: character.created_at,
    profile,
    is_feed_open: isFeedOpen(character),
    owner_id: character.visibility?.show_owner_profile ? character.owner_id : null,
    heading: joined([name, id, role, tagline, ...(skills ?? [])], headingCharactersAtMost),
    words: joined([...words, ...Object.values(manner)], wordsCharactersAtMost),
    skill_keys: skillKeys(skills ?? []),
  }
}

/** The records by which an entry is found by its skills. */
export function skillsOf({ id, created_at, skill_keys }: DirectoryEntry): DirectorySkill[] {
  return skill_keys.map((skill, i) => ({ id: `${id}/${i}`, char_id: id, skill, created_at }))
}

function skillKeys(skills: readonly string[]): string[] {
  const keys = new Set<string>()
  for (const skill of skills) {
    const key = skillKey(skill)
    if (key !== '' && key.length <= skillCharactersAtMost) keys.add(key)
    if (keys.size === skillsAtMost) break
  }
  return [...keys]
}

/** Cut to a length: indexing a text of a megabyte would keep others waiting. */
function joined(texts: readonly (string | null | undefined)[], atMost: number): string {
  const text = texts.filter((one) => one !== null && one !== undefined).join('\n')
  return text.slice(0, atMost).toWellFormed()
}
