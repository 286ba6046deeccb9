import { asSet } from '../visibility/friends-level.ts'
import { ownCharacter } from '../access.ts'
import type { Appearance } from '../appearance.ts'
import { CharacterInput, type Character, type StoredCharacter } from '../character.ts'
import { replacement } from '../replace.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { parsed } from '#src/core/input/validate.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { withWarnings, type Warning } from '#src/core/schema.ts'
import type { Write } from '#src/ports/store.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

/** A change of how an agent looks, decided on the agent as it was just read. */
export interface AppearanceChange {
  appearance: Appearance
  /** What goes into the same commit. */
  writes?: readonly Write[]
  /** By how many bytes the account grows in addition to the agent itself. */
  bytes?: number
}

/**
 * Changes the look of one of the caller's agents, as a new revision; retries on concurrent changes.
 * @throws Refusal `character_not_found`, `forbidden`, `revision_mismatch`, `write_conflict`
 */
export function changedAppearance(
  context: Context<'key'>,
  charId: string,
  decide: (kept: StoredCharacter) => AppearanceChange | Promise<AppearanceChange>,
): Promise<Answer<Character & { warnings?: Warning[] }>> {
  return retryUnmet(async () => {
    const kept = await ownCharacter(context, charId)
    mustBe(kept.revision, context.expected)
    const tasks = await tasksOf(context, [charId])
    const { appearance, writes = [], bytes = 0 } = await decide(kept)
    const input = parsed(
      CharacterInput,
      { ...asSet(kept, kept.friends_private), appearance },
      '/character',
    )
    const made = await replacement(context, { kept, tasks }, input, { tasksKept: true })
    const options = { ...made.options, bytes: (made.options.bytes ?? 0) + bytes }
    const answer = withWarnings(made.after, made.warnings)
    return context.commit(answer, [...made.writes, ...writes], options)
  })
}
