import { isDeepStrictEqual } from 'node:util'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { inOrder } from './tasks/replace-tasks.ts'
import type { StoredTask } from './tasks/task.ts'
import type { Character, StoredCharacter } from './character.ts'
import { characterRevisionId, type CharacterRevision } from './revision-record.ts'
import { shownCharacter } from './view.ts'

/** Where fewer are kept than there are, each change takes so many of the oldest away. */
const goneAtOnce = 3

/** A change of an agent that is about to be made. */
export interface AgentChange {
  /** The id of the key that makes it. */
  actor: string
  now: Date
  /** The agent as it will be shown. */
  after: Character
}

/** What keeps a revision: writes for the commit of the change, and by how many bytes the account grows. */
export interface KeptRevision {
  writes: Write[]
  bytes: number
}

/**
 * Keeps an agent as it is, before it is changed; nothing where nothing changes. The commit must hold the agent's revision in the
 * filter of its own update: the numbers that are kept beside the newest rest on that.
 */
export async function revisionKept(
  { store, settings }: Pick<Ports, 'store' | 'settings'>,
  character: StoredCharacter,
  tasks: readonly StoredTask[],
  { actor, now, after }: AgentChange,
): Promise<KeptRevision> {
  const { id: char_id, owner_id, revision } = character
  const before = shownCharacter(character, inOrder(tasks))
  const changed = changedMembers(before, after)
  // Whoever sends the same again and again must not push out what there is to go back to.
  if (changed.length === 0) return { writes: [], bytes: 0 }
  const text = JSON.stringify(before)
  const newest = await newestOf(store, char_id)
  const count = newest?.kept.count ?? 0
  const tooMany = count + 1 - settings.retention.revisions
  const goes = tooMany > 0 ? await oldestOf(store, char_id, Math.min(tooMany, goneAtOnce)) : []
  const bytes = goes.reduce((sum, one) => sum - one.character.length, text.length)
  const insert: CharacterRevision = {
    id: characterRevisionId(char_id, revision),
    char_id,
    owner_id,
    revision,
    actor,
    created_at: timestamp(now),
    changed,
    character: text,
    kept: {
      count: count + 1 - goes.length,
      characters: (newest?.kept.characters ?? 0) + bytes,
    },
  }
  const gone = goes.map(({ id }): Write => ({ in: 'character_revisions', delete: { id } }))
  return { writes: [...gone, { in: 'character_revisions', insert }], bytes }
}

type Revisions = Pick<Store, 'character_revisions'>

async function newestOf(store: Revisions, char_id: string): Promise<CharacterRevision | undefined> {
  const found = { sort: { revision: -1 }, limit: 1 } as const
  const [newest] = await store.character_revisions.find({ char_id }, found)
  return newest
}

function oldestOf(store: Revisions, char_id: string, limit: number): Promise<CharacterRevision[]> {
  return store.character_revisions.find({ char_id }, { sort: { revision: 1 }, limit })
}

/** How many bytes the kept revisions of these agents count. */
export async function revisionBytes(store: Revisions, charIds: readonly string[]): Promise<number> {
  let bytes = 0
  for (const id of charIds) bytes += (await newestOf(store, id))?.kept.characters ?? 0
  return bytes
}

/** What every change moves. */
const moving: ReadonlySet<string> = new Set(['revision', 'updated_at'])

/** The members by which an agent differs; of tasks, their own revisions and times do not count. */
export function changedMembers(before: Character, after: Character): string[] {
  const [was, is] = [stillOf(before), stillOf(after)]
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names].filter((name) => !isDeepStrictEqual(was[name], is[name])).sort()
}

function stillOf(character: Character): Record<string, unknown> {
  const { heart, ...rest } = character
  const tasks = heart?.tasks.map(({ revision: _revision, updated_at: _updated, ...task }) => task)
  const still = Object.entries({ ...rest, heart: heart && { ...heart, tasks } })
  return Object.fromEntries(still.filter(([name]) => !moving.has(name)))
}
