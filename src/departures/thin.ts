import { taskBytes } from '#src/agents/counted.ts'
import { forgetMuch } from '#src/agents/memory/shelf.ts'
import { touched } from '#src/agents/tasks/owner.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { inPieces } from '#src/core/turns/pieces.ts'
import { turnOf } from '#src/core/turns/slices.ts'

/** Tasks that are deleted with their agents in one commit, and what they hold. */
const inOneCommit = { tasks: 500, bytes: 2 ** 22 } as const
/** If there are more, they are deleted before: so many at once, or so much of them. */
const page = { sort: { id: 1 }, limit: 200, charactersAtMost: 2 ** 20 } as const

/** Agents that can go in one commit, with the tasks that they still have. */
interface Thin {
  characters: readonly StoredCharacter[]
  /** What these tasks count. */
  bytes: number
}

/**
 * Deletes the memory and the tasks of agents that are about to go, in portions that hold up no one, if
 * there is too much of them for the commit in which the agents go.
 * @returns the agents with the revisions that they have by then
 * @throws Unmet when one was changed since it was read
 */
export async function thinned(
  ports: Pick<Ports, 'store' | 'clock' | 'quotas'>,
  characters: readonly StoredCharacter[],
): Promise<Thin> {
  const ids = characters.map(({ id }) => id)
  for (const { id, owner_id } of characters) {
    await forgetMuch(ports, { charId: id, ownerId: owner_id })
  }
  let count = 0
  let bytes = 0
  for await (const tasks of inPieces(ports.clock, ports.store.tasks, { char_id: { $in: ids } })) {
    count += tasks.length
    bytes += taskBytes(tasks)
    if (count > inOneCommit.tasks || bytes > inOneCommit.bytes) {
      const thin: StoredCharacter[] = []
      for (const character of characters) thin.push(await withoutTasks(ports, character))
      return { characters: thin, bytes: 0 }
    }
  }
  return { characters, bytes }
}

async function withoutTasks(
  { store, clock, quotas }: Pick<Ports, 'store' | 'clock' | 'quotas'>,
  character: StoredCharacter,
): Promise<StoredCharacter> {
  const { id, owner_id } = character
  for (let { revision } = character; ; revision += 1) {
    const tasks = await store.tasks.find({ char_id: id }, page)
    if (tasks.length === 0) return { ...character, revision }
    const $in = tasks.map((task) => task.id)
    await store.commit([
      // The text of the agent shows them.
      touched({ id, revision }, timestamp(clock.now())),
      { in: 'tasks', delete: { id: { $in } } },
    ])
    quotas.addBytes(owner_id, -taskBytes(tasks))
    await turnOf(clock)
  }
}
