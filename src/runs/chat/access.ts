import { audienceOf, isOpenTo, isOwnOf } from '#src/agents/visibility/ability-access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { howToGetKey } from '#src/core/admission/sign-up.ts'
import { callerName, type Caller } from '#src/core/admission/caller.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { noPublicAgent } from '#src/agents/public/read.ts'
import type { ChatTask } from './chat.ts'

type Reach = Pick<Context, 'store' | 'caller' | 'settings'>

/** An agent as whoever speaks to it meets it. */
export interface Partner {
  agent: StoredCharacter
  /** The caller is the agent itself, or its account. */
  isOwn: boolean
}

/**
 * An agent that the caller may know of: of a private one nobody else is told that it exists.
 * @throws Refusal `character_not_found`
 */
export async function knownAgent(
  { store, caller }: Pick<Reach, 'store' | 'caller'>,
  charId: string,
): Promise<Partner> {
  const agent = await store.characters.get(charId)
  if (!agent) return noPublicAgent(charId)
  const isOwn = isOwnOf(agent, caller)
  const level = agent.visibility?.profile_visibility ?? 'private'
  return isOwn || level !== 'private' ? { agent, isOwn } : noPublicAgent(charId)
}

/**
 * An agent that the caller may send messages to.
 * @throws Refusal `character_not_found`, `forbidden`; `unauthenticated` where a key could open it
 */
export async function partner(reach: Reach, charId: string): Promise<Partner> {
  const found = await knownAgent(reach, charId)
  const { store, caller, settings } = reach
  if (await isOpenTo(store, found.agent, 'chat', caller)) return found
  const audience = audienceOf(found.agent.visibility, 'chat')
  if (caller.kind === 'anonymous' && audience !== 'nobody') {
    return refuse('unauthenticated', `"${charId}" takes messages ${from[audience]} alone.`, {
      hint: `It takes an API key. ${howToGetKey(settings.signUp, settings.publicUrl)}`,
    })
  }
  return refuse('forbidden', `"${charId}" takes no messages from you.`, {
    hint:
      audience === 'nobody'
        ? 'Its ability_access.chat is private: only its own account may speak to it.'
        : `It takes them ${from[audience]} alone.`,
  })
}

const from = {
  team: 'from keys that act as agents of its team',
  friends: 'from the accounts of its accepted friends',
  subscribers: 'from accounts that subscribe to it',
  everybody: 'from everybody',
} as const

/** What tells who calls, and from where. */
type Whose = Pick<Context, 'caller' | 'address'>

/** Whether the caller is the account of the agent that a task was sent to, or that agent. */
export function isOfAgent(
  { accountId, charId }: Pick<Caller, 'accountId' | 'charId'>,
  { owner_id, char_id }: Pick<ChatTask, 'owner_id' | 'char_id'>,
): boolean {
  // The id of a deleted agent may be another account's by now, so the account decides.
  return accountId === owner_id && (charId === undefined || charId === char_id)
}

/** Whether the caller has sent the message. Without a credential a whole network is one sender. */
export function isSender({ caller, address }: Whose, chat: Pick<ChatTask, 'caller'>): boolean {
  return callerName(caller, address) === chat.caller
}

/**
 * A chat task that the caller has sent, or that was sent to an agent of theirs.
 * @throws Refusal `run_not_found`, the same for one of somebody else; `character_not_found`
 */
export async function seenChat(
  context: Whose & Pick<Context, 'store'>,
  charId: string,
  id: string,
): Promise<ChatTask> {
  const chat = await context.store.chats.get(id)
  const isOfIt = chat?.char_id === charId
  if (chat && isOfIt && isOfAgent(context.caller, chat)) return chat
  // An agent that has become private is there no more for whoever wrote to it.
  if (chat && isOfIt && isSender(context, chat)) {
    await knownAgent(context, charId)
    return chat
  }
  return refuse('run_not_found', `There is no task "${id.slice(0, 100)}" of yours.`)
}
