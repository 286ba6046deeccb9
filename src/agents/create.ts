import { agentBytes, taskBytes } from './counted.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { randomSuffix } from '#src/core/ids.ts'
import { withWarnings, type Warning } from '#src/core/schema.ts'
import { timestamp } from '#src/core/time.ts'
import { firstRevisions } from '#src/core/tombstones.ts'
import { members } from '#src/core/input/loose.ts'
import { call } from '#src/core/words/reference.ts'
import { agentMade } from './directory/sync.ts'
import { DuplicateKey, Unmet, type Write } from '#src/ports/store.ts'
import { openFaults } from './policy.ts'
import { withServersAuthor } from './secrets/servers-author.ts'
import { isOwner, refuseOwnerOnly } from './tasks/policy/owner-only.ts'
import { circleOf, loopWarnings } from './tasks/references/loops.ts'
import { referenceWarnings } from './tasks/references/warnings.ts'
import { replacingTasks } from './tasks/replace-tasks.ts'
import { shownCharacter } from './view.ts'
import { characterWarnings } from './warnings.ts'
import type { Character, CharacterInput } from './character.ts'
import { idFromName } from './name.ts'
import { reserved, reservedFor } from './reserved.ts'
import { keptAgent, settingsSealer } from './sealed/keep.ts'

/** What is created along with an agent. */
export interface Making<B extends object = object> {
  /** Warnings that come before those of the agent itself. */
  warnings?: readonly Warning[]
  /** Further members of the agent, as the inside of a JSON object. */
  more?: string | null
  /** Members of the answer in addition to the agent. */
  extra?: B
  /** Further writes of the same commit, and by how many bytes they grow the account. */
  writes?: readonly Write[]
  bytes?: number
}

/**
 * The id of an agent that is to be created: as sent, otherwise made from the name.
 * @throws Refusal `id_reserved` for one that belongs to an app
 */
export async function newCharacterId(
  { store }: Pick<Context<'key'>, 'store'>,
  { id: sent, name }: Pick<CharacterInput, 'id' | 'name'>,
): Promise<string> {
  const id = sent ?? idFromName(name, randomSuffix())
  const appId = reservedFor(id)
  if (appId && (await store.apps.get(appId))) return reserved(appId)
  return id
}

/**
 * Creates an agent of the caller with its tasks, in one commit.
 * @param sent checked, defaults filled in
 * @throws Refusal `character_id_taken`, `id_reserved`, `quota_exceeded`, `invalid_input` for a masked secret;
 *   `insufficient_scope` for a program that may not open it to others
 */
export async function characterMade<B extends object = object>(
  context: Context<'key'>,
  sent: CharacterInput,
  // A call without `extra` infers `B` as an empty object.
  { warnings = [], more = null, extra = {} as B, writes: along = [], bytes = 0 }: Making<B> = {},
): Promise<Answer<Character & { warnings?: Warning[] } & B>> {
  const { caller, clock, store, sender, sealer, quotas } = context
  const id = await newCharacterId(context, sent)
  const now = clock.now()
  const place = { id, ownerId: caller.accountId, appId: null, localId: null }
  const revision = (await firstRevisions(store, 'characters', [id]))(id)
  const at = { ...place, revision, now: timestamp(now) }
  const made = keptAgent(sent, at, settingsSealer(sealer), { at: '/character' }).character
  const character = withServersAuthor(made, { kept: undefined, author: caller })
  if (!isOwner(caller)) refuseOwnerOnly(openFaults(character, '/character'), caller)
  const heartbeat = sent.heart?.heartbeat_interval
  const owner = { charId: id, ownerId: caller.accountId, appId: null, heartbeat }
  const inputs = sent.heart?.tasks ?? []
  const { tasks, writes } = await replacingTasks([], inputs, owner, now, {
    sealer,
    store,
    author: caller,
  })
  const noted = characterWarnings(sent, {
    objection: (url) => sender.objection(url),
    sent: members(context.sent).character,
    now,
  })
  const { control } = character
  const written = inputs.map((task, i) => ({ task, at: `/heart/tasks/${i}` }))
  const holder = { charId: id, appId: null, control, tasks: inputs }
  const named = await referenceWarnings(context, holder, written)
  named.push(...(await loopWarnings(context, caller.accountId, circleOf(character, written))))
  const shown = withWarnings(shownCharacter(character, tasks), [...warnings, ...noted, ...named])
  const whole = Object.assign(shown, extra)
  const small = JSON.stringify(whole)
  const text = more ? `${small.slice(0, -1)},${more}}` : small
  // As stored, not as shown: its deletion counts it the same way.
  const kept = agentBytes([character]) + taskBytes(tasks) + (more ? more.length + 1 : 0)
  const agent = agentMade(character).map((write) =>
    write.in === 'characters' && 'insert' in write ? { ...write, more } : write,
  )
  const all = [...agent, quotas.counted('agents', 1, caller), ...writes, ...along]
  const options = { revision: character.revision, text, bytes: kept + bytes }
  return context.commit(whole, all, options).catch((cause: unknown) => {
    if (cause instanceof Unmet && cause.in === 'usage') throw quotas.exceeded('agents', caller)
    if (!(cause instanceof DuplicateKey) || cause.in !== 'characters') throw cause
    // The unique id decides the race: with a read first, two callers could both pass.
    return idTaken(context, character, cause)
  })
}

/** What is said of an id that the caller has taken before. @param change what changes it, as a reference */
export function yours(change: string): string {
  return `It is yours: ${change} changes it.`
}

async function idTaken(
  { store, caller }: Pick<Context<'key'>, 'store' | 'caller'>,
  { id, name }: { id: string; name: string },
  cause: DuplicateKey,
): Promise<never> {
  const own = { id, owner_id: caller.accountId }
  const [row] = await store.characters.text(own, { limit: 1 })
  const hint = row
    ? yours(call('characters.update', { char_id: id, character: { name } }))
    : 'Another account has it: choose another id, or send none to be given one.'
  return refuse('character_id_taken', `The id "${id}" is already in use.`, { hint, cause })
}
