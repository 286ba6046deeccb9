import { ownCharacter } from '#src/agents/access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import type { Write } from '#src/ports/store.ts'

/** The agent that acts in a call. */
export interface Acting {
  agent: StoredCharacter
  /** Fails the commit (`Unmet`) if the agent was deleted meanwhile: its id may be taken again. */
  isThere: Write
}

/**
 * The caller's agent that acts: the one that is named, or the one that the key acts as.
 * @param pointer of the member that names it
 * @throws Refusal `character_not_found`, `forbidden`, `invalid_input` where nothing tells which
 */
export async function actingAs(
  context: Context<'key'>,
  named: string | undefined,
  pointer: string,
): Promise<Acting> {
  const charId = named ?? context.caller.charId
  if (charId === undefined) {
    const message = 'This key acts as no agent: name the agent that acts.'
    const errors = [{ pointer, message, code: 'required' }]
    return refuse('invalid_input', `${pointer.slice(1)}: ${message}`, { errors })
  }
  const agent = await ownCharacter(context, charId)
  const { id, owner_id, created_at } = agent
  const update = { id, owner_id, created_at }
  return { agent, isThere: { in: 'characters', update, change: { $set: { owner_id } } } }
}
