import type { StoredCharacter } from '../character.ts'
import type { Write } from '#src/ports/store.ts'

/**
 * The agent's next revision, written with every change of its tasks: its text shows them, so its
 * `ETag` moves with theirs. It also makes sure that the agent is still there; with a revision, that
 * neither it nor a task of it was changed since it was read.
 */
export function touched(
  { id, revision }: Pick<StoredCharacter, 'id'> & { revision?: number | undefined },
  at: string,
): Write {
  return {
    in: 'characters',
    update: { id, ...(revision !== undefined && { revision }) },
    change: { $inc: { revision: 1 }, $set: { updated_at: at } },
  }
}
