import type { KeyCaller } from '#src/core/admission/caller.ts'
import { refuse } from '#src/core/errors.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Row, Store } from '#src/ports/store.ts'
import type { StoredCharacter } from './character.ts'

/** What an access rule needs of a context. */
export interface Reach {
  store: Store
  caller: KeyCaller
}

/** Whether a key may act for this agent at all: a scoped key only for its own agent. */
export function mayActFor(caller: KeyCaller, charId: string): boolean {
  return caller.charId === undefined || caller.charId === charId
}

/**
 * The stored text of one of the caller's agents. The rule is part of the filter; a second read
 * finds the reason only if the first finds nothing.
 * @throws Refusal `character_not_found`, `forbidden`
 */
export async function ownRow(reach: Reach, charId: string): Promise<Row> {
  if (mayActFor(reach.caller, charId)) {
    const filter: Filter<StoredCharacter> = { id: charId, owner_id: reach.caller.accountId }
    const [row] = await reach.store.characters.text(filter, { limit: 1 })
    if (row) return row
  }
  return noReach(reach, charId)
}

/** The same, parsed. @throws Refusal `character_not_found`, `forbidden` */
export async function ownCharacter(reach: Reach, charId: string): Promise<StoredCharacter> {
  const character = await reach.store.characters.get(charId)
  const isOwn = character?.owner_id === reach.caller.accountId && mayActFor(reach.caller, charId)
  return character && isOwn ? character : noReach(reach, charId)
}

/** @throws Refusal always: 404 where there is no such agent, 403 where it belongs to another account */
export async function noReach({ store, caller }: Reach, charId: string): Promise<never> {
  const [row] = await store.characters.text({ id: charId }, { limit: 1 })
  if (!row) return unknownAgent(charId)
  return mayActFor(caller, charId)
    ? refuse('forbidden', `The agent "${charId}" belongs to another account.`)
    : refuse('forbidden', `This key acts as "${caller.charId}" and as no other agent.`)
}

/** That there is no such agent, in words. */
export function unknownAgentWords(charId: string): string {
  return `There is no agent "${charId}".`
}

/** @throws Refusal `character_not_found` always */
export function unknownAgent(charId: string): never {
  return refuse('character_not_found', unknownAgentWords(charId))
}
