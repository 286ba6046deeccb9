import * as z from 'zod'
import type { Slim } from '#src/core/input/slim.ts'
import { Appearance, Personality } from './appearance.ts'
import { Brain } from './brain.ts'
import { Control } from './control.ts'
import { Heart, HeartInput } from './heart.ts'
import { optionalText, texts, type Named } from '#src/core/schema-parts.ts'
import { CharacterId, PlainName } from './name.ts'
import { Visibility, type Audience } from './visibility/visibility.ts'

const profile = {
  name: PlainName,
  full_name: optionalText,
  role: optionalText,
  tagline: optionalText,
  bio: optionalText,
  skills: texts,
  tools: texts,
  knowledge_domains: texts,
  personality: Personality.nullable().default(null),
  appearance: Appearance.nullable().default(null),
  brain: Brain.nullable().default(null),
  control: Control.nullable().default(null),
  visibility: Visibility.nullable().default(null),
}

/** What a caller may set on an agent, by name: the contract's members except `local_id`. */
export const characterMembers = {
  id: CharacterId.nullable().default(null).describe('Made from the name when null'),
  ...profile,
  heart: HeartInput.nullable().default(null),
}

export const CharacterInput = z.looseObject(characterMembers).meta({ id: 'CharacterInput' })
/** An agent as callers send it, defaults filled in. */
export type CharacterInput = z.infer<typeof CharacterInput>

export const Character = z
  .looseObject({
    id: CharacterId,
    revision: z.int(),
    heart: Heart.nullable(),
    owner_id: z.string(),
    app_id: z.string().nullable(),
    local_id: z.string().nullable(),
    ...profile,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Character' })
/** An agent as every read returns it, with its tasks. */
export type Character = z.infer<typeof Character>

/** What a summary shows of an agent. */
export const slimCharacter: Slim = {
  summary: ['id', 'name', 'role', 'tagline', 'app_id', 'local_id', 'revision', 'updated_at'],
}

/**
 * An agent as stored: `heart.tasks` is empty, because tasks are separate documents; `words` are its
 * search words, `hooked` says that its brain has a hook, `feed_for` who may read its feed in addition to
 * its account, and `friends_private` that its level of `friends` was set to private, not filled in.
 */
export type StoredCharacter = Named<Character> & {
  words: string[]
  hooked: true | null
  feed_for: Exclude<Audience, 'none'> | null
  friends_private?: true | null
  /** A sealed map from pointers into the agent to the secrets that its settings show as `***`. */
  settings_secrets?: string | null
  /** The members, such as `brain.mcps`, that a key acting as the agent wrote last; absent if there are none. */
  by_agent?: string[]
}

/** The members of an agent that only the platform sets; values sent for them are ignored. */
export const platformMembersOfCharacter = [
  'owner_id',
  'app_id',
  'local_id',
  'revision',
  'created_at',
  'updated_at',
  'words',
  'hooked',
  'feed_for',
  'friends_private',
  'settings_secrets',
  'by_agent',
  'warnings',
  'import_report',
] as const
