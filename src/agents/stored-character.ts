import { merge } from '#src/core/merge.ts'
import { audienceOf } from './visibility/ability-access.ts'
import { asSet, withFriendsLevel } from './visibility/friends-level.ts'
import type { CharacterInput, StoredCharacter } from './character.ts'
import { freeMaps } from '#src/core/schema-parts.ts'
import { searchWords } from './words.ts'

export interface CharacterPlace {
  id: string
  ownerId: string
  /** The app that made it, and its handle there. */
  appId: string | null
  localId: string | null
  revision: number
  /** RFC 3339. */
  now: string
  /** RFC 3339; now by default. */
  createdAt?: string
}

/** An agent as stored. The tasks of its heart are separate documents, so they are left out. */
export function characterFrom(input: CharacterInput, place: CharacterPlace): StoredCharacter {
  const { id, revision, now } = place
  // The order of the first members matters: `spliceTasks` and `revisionIn` rely on it. One literal, as an
  // object that gets so many members one by one is several times slower to copy and to write as JSON.
  return {
    id,
    revision,
    heart: input.heart && { ...input.heart, tasks: [] },
    owner_id: place.ownerId,
    app_id: place.appId,
    local_id: place.localId,
    ...ownMembers(input),
    created_at: place.createdAt ?? now,
    updated_at: now,
    words: searchWords({ ...input, id }),
    hooked: input.brain?.hooks.some((hook) => hook.enabled) ? (true as const) : null,
    feed_for: feedFor(input.visibility),
    ...withFriendsLevel(input.visibility),
  }
}

/** What an agent has besides the members of the platform: values sent for those are not kept. */
function ownMembers(input: CharacterInput) {
  const {
    id: _id,
    revision: _revision,
    heart: _heart,
    owner_id: _owner,
    app_id: _app,
    local_id: _local,
    warnings: _warnings,
    import_report: _report,
    settings_secrets: _secrets,
    by_agent: _byAgent,
    friends_private: _friends,
    ...own
  } = input
  return own
}

function feedFor(visibility: CharacterInput['visibility']): StoredCharacter['feed_for'] {
  const audience = audienceOf(visibility, 'feed')
  return audience === 'none' ? null : audience
}

/** A stored agent with a patch applied, to be checked as a whole: `CharacterInput` parses it. */
export interface PatchedCharacter {
  merged: unknown
  /** The patch has no tasks; otherwise the merged `heart.tasks` replace all tasks. */
  tasksKept: boolean
}

/** Merges a patch: objects deeply; lists and scalars replace; null sets null or removes a free entry. */
export function patchedCharacter(
  character: StoredCharacter,
  patch: Readonly<Record<string, unknown>>,
): PatchedCharacter {
  const { heart } = patch
  const tasksKept =
    heart === undefined ||
    (typeof heart === 'object' && heart !== null && !Object.hasOwn(heart, 'tasks'))
  const kept = asSet(character, character.friends_private)
  return { merged: merge(kept, patch, freeMaps), tasksKept }
}
