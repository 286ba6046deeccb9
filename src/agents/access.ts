import type { KeyCaller } from '#src/core/admission/caller.ts'
import { ofApp } from '#src/core/ids.ts'
import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
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
export async function noReach(reach: Reach, charId: string): Promise<never> {
  const { store, caller } = reach
  const [row] = await store.characters.text({ id: charId }, { limit: 1 })
  if (!row) return unknownAgent(reach, charId)
  if (mayActFor(caller, charId)) {
    return refuse('forbidden', `The agent "${charId}" belongs to another account.`, {
      hint: `${call('characters.list')} lists yours.`,
    })
  }
  return refuse('forbidden', `This key acts as "${caller.charId}" and as no other agent.`, {
    hint: await ofScoped(reach),
  })
}

/** What a key may do that acts as one agent, which may have been deleted since. */
async function ofScoped({ store, caller }: Reach): Promise<string> {
  const { charId = '', accountId } = caller
  const [own] = await store.characters.text({ id: charId, owner_id: accountId }, { limit: 1 })
  return own ? `${call('characters.get', { char_id: charId })} reads that one.` : agentIsGone
}

const agentIsGone =
  'The agent of this key was deleted: with a key of the account that is not scoped, <api_keys.create> makes one for another agent.'

/** That there is no such agent, in words. */
export function unknownAgentWords(charId: string): string {
  return `There is no agent "${charId}".`
}

/** Whether there is such an agent, of any account. @throws Refusal `character_not_found` if there is none */
export async function anyAgent(reach: Reach, charId: string): Promise<void> {
  const [row] = await reach.store.characters.pick(['id'], { id: charId }, { limit: 1 })
  if (!row) await unknownAgent(reach, charId)
}

/** @throws Refusal `character_not_found` always, with the nearest of the agents that the caller may see */
export async function unknownAgent(reach: Reach, charId: string): Promise<never> {
  if (reach.caller.charId === charId) {
    return refuse('character_not_found', unknownAgentWords(charId), { hint: agentIsGone })
  }
  const hint = await nearestOwn(reach, charId)
  return refuse('character_not_found', unknownAgentWords(charId), { hint })
}

/** The hint for an id of no agent: the nearest of the agents that the caller may see, and where they are listed. */
export async function nearestOwn(
  { store, caller }: Pick<Reach, 'store' | 'caller'>,
  charId: string,
): Promise<string> {
  const own = {
    owner_id: caller.accountId,
    ...(caller.charId !== undefined && { id: caller.charId }),
  }
  const options = { sort: { created_at: -1 }, limit: idsAtMost } as const
  const rows = await store.characters.pick(['id'], own, options)
  return idHint(charId, {
    ids: rows.flat(),
    mark: ofApp,
    read: (char_id) => call('characters.get', { char_id }),
    list: call('characters.list'),
  })
}
