import { isDeepStrictEqual } from 'node:util'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { inOrder } from './tasks/replace-tasks.ts'
import type { StoredTask } from './tasks/task.ts'
import type { Character, StoredCharacter } from './character.ts'
import { characterRevisionId, type CharacterRevision } from './revision-record.ts'
import { shownCharacter } from './view.ts'

/** If more are stored than are kept, each change removes this many of the oldest. */
const goneAtOnce = 3

/** A change of an agent that is about to be made. */
export interface AgentChange {
  /** The id of the key that makes it. */
  actor: string
  now: Date
  /** The agent after the change, as shown. */
  after: Character
}

/** A revision to store: writes for the commit of the change, and by how many bytes the account grows. */
export interface KeptRevision {
  writes: Write[]
  bytes: number
}

/**
 * Stores an agent as it is, before a change; nothing if nothing changes. The commit's update of the agent
 * must have its revision in the filter: the numbers stored with the newest revision rely on that.
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
  // Sending the same document repeatedly must not push out the revisions to go back to.
  if (changed.length === 0) return { writes: [], bytes: 0 }
  const text = JSON.stringify(before)
  const { count, characters } = await keptOf(store, char_id)
  const [own] = await store.accounts.pick(['retention.revisions'], { id: owner_id })
  const most = Math.min(settings.retention.revisions, Number(own?.[0] ?? Infinity))
  const tooMany = count + 1 - most
  const goes = tooMany > 0 ? await oldestOf(store, char_id, Math.min(tooMany, goneAtOnce)) : []
  const bytes = goes.reduce((sum, { size }) => sum - size, text.length)
  const insert: CharacterRevision = {
    id: characterRevisionId(char_id, revision),
    char_id,
    owner_id,
    revision,
    actor,
    created_at: timestamp(now),
    changed,
    character: text,
    ...(character.friends_private && { friends_private: true }),
    size: text.length,
    kept: { count: count + 1 - goes.length, characters: characters + bytes },
  }
  const gone = goes.map(({ id }): Write => ({ in: 'character_revisions', delete: { id } }))
  return { writes: [...gone, { in: 'character_revisions', insert }], bytes }
}

type Revisions = Pick<Store, 'character_revisions'>

/** An agent as it was. @throws Refusal `revision_not_found` */
export async function keptRevision(
  { character_revisions: revisions }: Revisions,
  charId: string,
  revision: number,
): Promise<CharacterRevision> {
  const kept = await revisions.get(characterRevisionId(charId, revision))
  if (kept) return kept
  return refuse('revision_not_found', `No revision ${revision} of "${charId}" is kept.`, {
    hint: '<characters.revisions.list> names those that are.',
  })
}

/** How many revisions of an agent are kept, and the length of their texts. */
async function keptOf(store: Revisions, char_id: string): Promise<CharacterRevision['kept']> {
  const paths = ['kept.count', 'kept.characters'] as const
  const newest = { sort: { revision: -1 }, limit: 1 } as const
  const [found] = await store.character_revisions.pick(paths, { char_id }, newest)
  return { count: Number(found?.[0] ?? 0), characters: Number(found?.[1] ?? 0) }
}

async function oldestOf(
  { character_revisions: revisions }: Revisions,
  char_id: string,
  limit: number,
): Promise<{ id: string; size: number }[]> {
  const oldest = { sort: { revision: 1 }, limit } as const
  const rows = await revisions.pick(['id', 'size'], { char_id }, oldest)
  return Promise.all(
    rows.map(async ([name, known]) => {
      const id = String(name)
      const size = known ?? (await revisions.get(id))?.character.length
      return { id, size: Number(size ?? 0) }
    }),
  )
}

/** How many bytes the kept revisions of these agents count. */
export async function revisionBytes(store: Revisions, charIds: readonly string[]): Promise<number> {
  let bytes = 0
  for (const id of charIds) bytes += (await keptOf(store, id)).characters
  return bytes
}

/** Members that every change sets. */
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
