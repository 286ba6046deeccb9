import { merge } from '#src/core/merge.ts'
import { audienceOf } from './visibility/ability-access.ts'
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
  /** RFC 3339; by default now. */
  createdAt?: string
}

/** An agent as it is kept. The tasks of its heart are documents of their own, so they are left out. */
export function characterFrom(input: CharacterInput, place: CharacterPlace): StoredCharacter {
  const { id, revision, now } = place
  // The first members stand in this order: `spliceTasks` and `revisionIn` tell them by it.
  const first = { id, revision, heart: null, owner_id: '', app_id: null, local_id: null }
  const character = { ...first, ...input }
  Reflect.deleteProperty(character, 'warnings')
  Reflect.deleteProperty(character, 'import_report')
  Reflect.deleteProperty(character, 'settings_secrets')
  // What was sent under the names of the platform gives way.
  return Object.assign(character, {
    id,
    revision,
    heart: input.heart && { ...input.heart, tasks: [] },
    owner_id: place.ownerId,
    app_id: place.appId,
    local_id: place.localId,
    created_at: place.createdAt ?? now,
    updated_at: now,
    words: searchWords({ ...input, id }),
    hooked: input.brain?.hooks.some((hook) => hook.enabled) ? (true as const) : null,
    feed_for: feedFor(input.visibility),
  })
}

function feedFor(visibility: CharacterInput['visibility']): StoredCharacter['feed_for'] {
  const audience = audienceOf(visibility, 'feed')
  return audience === 'nobody' ? null : audience
}

/** A kept agent with a patch laid over it, to be checked as a whole: `CharacterInput` parses it. */
export interface PatchedCharacter {
  merged: unknown
  /** The patch says nothing of tasks; otherwise `heart.tasks` as merged are all there will be. */
  tasksKept: boolean
}

/** Merges a patch: objects deep, lists and scalars replace, null sets null or removes a free entry. */
export function patchedCharacter(
  character: StoredCharacter,
  patch: Readonly<Record<string, unknown>>,
): PatchedCharacter {
  const { heart } = patch
  const tasksKept =
    heart === undefined ||
    (typeof heart === 'object' && heart !== null && !Object.hasOwn(heart, 'tasks'))
  return { merged: merge(character, patch, freeMaps), tasksKept }
}
