import { inQuotes, ownAgents } from '#src/accounts/own-agents.ts'
import { ownCharacter } from '#src/agents/access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
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
    return noActor(context, pointer)
  }
  const agent = await ownCharacter(context, charId)
  const { id, owner_id, created_at } = agent
  const update = { id, owner_id, created_at }
  return { agent, isThere: { in: 'characters', update, change: { $set: { owner_id } } } }
}

/** With the agents that can be named; the only one of an account is the one that is meant. */
async function noActor({ store, caller }: Context<'key'>, pointer: string): Promise<never> {
  const message = 'This key acts as no agent: name the agent that acts.'
  const ids = await ownAgents(store, caller.accountId)
  const [only] = ids
  const fault = { pointer, message, code: 'required' }
  const detail = `${pointer.slice(1)}: ${message}`
  if (only !== undefined && ids.length === 1) {
    return refuse('invalid_input', detail, { errors: [{ ...fault, suggestion: only }] })
  }
  const hint =
    only === undefined
      ? `${call('characters.create')} makes one.`
      : `Send the same with "${pointer.slice(1)}" too, such as ${inQuotes(ids)}. ${call('characters.list')} lists yours.`
  return refuse('invalid_input', detail, { errors: [fault], hint })
}
