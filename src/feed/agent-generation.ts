import type { Store } from '#src/ports/store.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

type Characters = Store['characters']

/** How many tasks are cached with the time their agents were made. */
const knownAtMost = 5000
const births = new WeakMap<Characters, Map<string, string>>()

/**
 * When the agent of a task was made, as RFC 3339; undefined if it was deleted. A task is deleted with
 * its agent, and a new one of that name has another creation time and revision, so this is read only
 * once.
 */
export async function birthOf(
  { characters }: Pick<Store, 'characters'>,
  { id, char_id, owner_id, created_at, revision }: StoredTask,
): Promise<string | undefined> {
  const known = births.get(characters) ?? new Map<string, string>()
  births.set(characters, known)
  const key = `${created_at} ${revision} ${id}`
  const before = known.get(key)
  if (before !== undefined) return before
  const among = { id: char_id, owner_id }
  const [agent] = await characters.pick(['created_at'], among, { limit: 1 })
  if (!agent) return undefined
  const born = String(agent[0])
  if (known.size >= knownAtMost) known.clear()
  known.set(key, born)
  return born
}
