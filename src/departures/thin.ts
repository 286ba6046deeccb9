import { touched } from '#src/agents/tasks/owner.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Ports } from '#src/core/context.ts'
import { sizeOfAll } from '#src/core/counts/quotas.ts'
import { timestamp } from '#src/core/time.ts'
import { turnOf } from '#src/core/turns/slices.ts'

/** Tasks that go with their agents in one commit. */
const tasksInOneCommit = 500
/** Where there are more they go before, so many at once. */
const tasksAtOnce = 200

/**
 * Deletes the tasks of agents that are about to go, in portions that hold up nobody, where there are too many
 * for the commit in which the agents go.
 * @returns the agents with the revisions that they have come to by that
 * @throws Unmet when one was changed since it was read
 */
export async function thinned(
  ports: Pick<Ports, 'store' | 'clock' | 'quotas'>,
  characters: readonly StoredCharacter[],
): Promise<readonly StoredCharacter[]> {
  const ids = characters.map(({ id }) => id)
  const count = await ports.store.tasks.count({ char_id: { $in: ids } })
  if (count <= tasksInOneCommit) return characters
  const thin: StoredCharacter[] = []
  for (const character of characters) thin.push(await withoutTasks(ports, character))
  return thin
}

async function withoutTasks(
  { store, clock, quotas }: Pick<Ports, 'store' | 'clock' | 'quotas'>,
  character: StoredCharacter,
): Promise<StoredCharacter> {
  const { id, owner_id } = character
  for (let { revision } = character; ; revision += 1) {
    const tasks = await store.tasks.find({ char_id: id }, { sort: { id: 1 }, limit: tasksAtOnce })
    if (tasks.length === 0) return { ...character, revision }
    const $in = tasks.map((task) => task.id)
    await store.commit([
      // The text of the agent shows them.
      touched({ id, revision }, timestamp(clock.now())),
      { in: 'tasks', delete: { id: { $in } } },
    ])
    quotas.addBytes(owner_id, -sizeOfAll(tasks))
    await turnOf(clock)
  }
}
