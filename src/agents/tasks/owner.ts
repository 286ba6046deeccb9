import type { StoredCharacter } from '../character.ts'
import type { Write } from '#src/ports/store.ts'

/**
 * Increases the agent's revision, with every change of its tasks: its text shows them, so its `ETag`
 * changes with theirs. It also ensures that the agent still exists; with a revision, that neither the
 * agent nor one of its tasks was changed since it was read.
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
