import type { StoredCharacter } from '#src/characters/character.ts'
import type { Write } from '#src/ports/store.ts'

/**
 * The agent's next revision, written with every change of its tasks: its text shows them, so its
 * `ETag` moves with theirs. It also makes sure that the agent is still there.
 */
export function touched(character: Pick<StoredCharacter, 'id'>, at: string): Write {
  return {
    in: 'characters',
    update: { id: character.id },
    change: { $inc: { revision: 1 }, $set: { updated_at: at } },
  }
}
