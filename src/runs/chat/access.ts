import { audienceOf, isOpenTo, isOwnOf } from '#src/agents/visibility/ability-access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { keyHint } from '#src/core/admission/sign-up.ts'
import { callerName, isPerson, type Caller } from '#src/core/admission/caller.ts'
import { mustNotBeSuspended } from '#src/core/authorization/suspended.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { nearestOwn } from '#src/agents/access.ts'
import { noPublicAgent } from '#src/agents/public/read.ts'
import type { ChatTask } from './chat.ts'

type Reach = Pick<Context, 'store' | 'caller' | 'settings'>

/** An agent as seen by a caller that sends it messages. */
export interface Partner {
  agent: StoredCharacter
  /** The caller is the agent itself, or its account. */
  isOwn: boolean
}

/**
 * An agent that the caller may know of: the existence of a private one is not revealed to others.
 * @throws Refusal `character_not_found`
 */
export async function knownAgent(
  { store, caller }: Pick<Reach, 'store' | 'caller'>,
  charId: string,
): Promise<Partner> {
  const agent = await store.characters.get(charId)
  if (!agent) return noAgent({ store, caller }, charId)
  const isOwn = isOwnOf(agent, caller)
  const level = agent.visibility?.profile_visibility ?? 'private'
  return isOwn || level !== 'private' ? { agent, isOwn } : noAgent({ store, caller }, charId)
}

/** @throws Refusal `character_not_found` always, with the nearest of the caller's own agents: it may be misspelled */
async function noAgent({ store, caller }: Pick<Reach, 'store' | 'caller'>, charId: string) {
  const own = caller.kind === 'key' ? await nearestOwn({ store, caller }, charId) : undefined
  return noPublicAgent(charId, own)
}

/**
 * An agent that the caller may send messages to.
 * @throws Refusal `character_not_found`, `forbidden`, `account_suspended`; `unauthenticated` if a key could give access
 */
export async function partner(reach: Reach, charId: string): Promise<Partner> {
  const found = await knownAgent(reach, charId)
  const { store, caller, settings } = reach
  mustNotBeSuspended(await store.accounts.get(found.agent.owner_id), settings)
  if (await isOpenTo(store, found.agent, 'chat', caller)) return found
  const audience = audienceOf(found.agent.visibility, 'chat')
  if (caller.kind === 'anonymous' && audience !== 'none') {
    return refuse('unauthenticated', `"${charId}" accepts messages only ${from[audience]}.`, {
      hint: keyHint(settings),
    })
  }
  return refuse('forbidden', `"${charId}" does not accept messages from you.`, {
    hint:
      audience === 'none'
        ? 'Its ability_access.chat is private: only its own account may send it messages.'
        : `It accepts them only ${from[audience]}.`,
  })
}

const from = {
  team: 'from keys that act as agents of its team',
  friends: 'from the accounts of its accepted friends',
  subscribers: 'from accounts that subscribe to it',
  everybody: 'from everyone',
} as const

/** What identifies a caller. */
type Whose = Pick<Context, 'caller' | 'address'>

/** Whether the caller is the account of the agent that a task was sent to, or that agent. */
export function isOfAgent(
  { accountId, charId }: Pick<Caller, 'accountId' | 'charId'>,
  { owner_id, char_id }: Pick<ChatTask, 'owner_id' | 'char_id'>,
): boolean {
  // The id of a deleted agent may belong to another account now, so the account decides.
  return accountId === owner_id && (charId === undefined || charId === char_id)
}

/** Whether the caller has sent the message. Without a credential a whole network is one sender. */
export function isSender(whose: Whose, chat: Pick<ChatTask, 'caller'>): boolean {
  return writerName(whose) === chat.caller
}

/** Who writes: a person in whichever browser they are signed in, and else the caller. */
export function writerName({ caller, address }: Whose): string {
  if (caller.kind === 'key' && isPerson(caller)) return `${caller.personId}:${caller.accountId}`
  return callerName(caller, address)
}

/**
 * A chat task that the caller has sent, or that was sent to one of the caller's agents.
 * @throws Refusal `run_not_found`, also for a chat task of others; `character_not_found`
 */
export async function seenChat(
  context: Whose & Pick<Context, 'store'>,
  charId: string,
  id: string,
): Promise<ChatTask> {
  const chat = await context.store.chats.get(id)
  const isOfIt = chat?.char_id === charId
  if (chat && isOfIt && isOfAgent(context.caller, chat)) return chat
  // An agent that has become private no longer exists for those that wrote to it.
  if (chat && isOfIt && isSender(context, chat)) {
    await knownAgent(context, charId)
    return chat
  }
  return noChat(id)
}

/** @throws Refusal `run_not_found` always */
export function noChat(id: string): never {
  return refuse('run_not_found', `You have no task "${id.slice(0, 100)}".`)
}
