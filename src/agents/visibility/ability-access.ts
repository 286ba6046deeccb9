import type { Caller } from '#src/core/admission/caller.ts'
import { edgeId } from '../friends/edge.ts'
import { hasSubscribed } from './subscription.ts'
import type { Store } from '#src/ports/store.ts'
import { noReach, type Reach } from '../access.ts'
import type { StoredCharacter } from '../character.ts'
import type { Ability, Audience, Visibility } from './visibility.ts'

/** What is known of a caller that wants to use an ability. For an anonymous caller all is false. */
export interface Viewer {
  /** It calls with an unscoped key of the agent's account, or with a key that acts as the agent. */
  isOwn: boolean
  /** Its key acts as another agent of the same team. */
  isTeamMember: boolean
  /** It owns an accepted friend of the agent; a key that acts as an agent is that friend itself. */
  isFriend: boolean
  /** Its account has an active subscription to the agent. */
  hasSubscribed: boolean
}

/** To whom an ability is open: a private profile beats every level, and an unknown level opens nothing. */
export function audienceOf(visibility: Visibility | null, ability: Ability): Audience {
  if (!visibility || visibility.profile_visibility === 'private') return 'none'
  switch (visibility.ability_access?.[ability]) {
    case 'public':
      return 'everybody'
    case 'friends':
      return 'friends'
    case 'public_paid':
      return 'subscribers'
    case 'members':
      return ability === 'chat' ? 'team' : 'none'
    default:
      return 'none'
  }
}

/** Whether the viewer may use this ability of an agent with this visibility. */
export function mayUse(visibility: Visibility | null, ability: Ability, viewer: Viewer): boolean {
  if (viewer.isOwn) return true
  switch (audienceOf(visibility, ability)) {
    case 'everybody':
      return true
    case 'friends':
      return viewer.isFriend
    case 'subscribers':
      return viewer.hasSubscribed
    case 'team':
      return viewer.isTeamMember
    default:
      return false
  }
}

type Needed = Pick<Store, 'apps' | 'edges' | 'subscriptions'>
/** The members of an agent that decide who may use it. */
type Viewed = Pick<StoredCharacter, 'id' | 'owner_id' | 'app_id' | 'visibility'>

/** Whether a caller is the agent itself, or the account that owns it. */
export function isOwnOf(
  { id, owner_id }: Pick<StoredCharacter, 'id' | 'owner_id'>,
  { accountId, charId }: Pick<Caller, 'accountId' | 'charId'>,
): boolean {
  return owner_id === accountId && (charId === undefined || charId === id)
}

/** The same for a caller; reads from the store only what the level depends on. */
export async function isOpenTo(
  store: Needed,
  character: Viewed,
  ability: Ability,
  caller: Pick<Caller, 'accountId' | 'charId'>,
): Promise<boolean> {
  const { accountId, charId } = caller
  const { id, visibility } = character
  if (accountId === undefined) return mayUse(visibility, ability, anonymous)
  const isOwn = isOwnOf(character, caller)
  const audience = isOwn ? 'none' : audienceOf(visibility, ability)
  return mayUse(visibility, ability, {
    isOwn,
    isTeamMember: audience === 'team' && (await isOfTeam(store, character, accountId, charId)),
    isFriend: audience === 'friends' && (await isFriendOf(store, id, accountId, charId)),
    hasSubscribed: audience === 'subscribers' && (await hasSubscribed(store, accountId, id)),
  })
}

const anonymous: Viewer = {
  isOwn: false,
  isTeamMember: false,
  isFriend: false,
  hasSubscribed: false,
}

/**
 * The agent, if the caller may use this ability of it. A key that acts as an agent reads as that one.
 * @throws Refusal `character_not_found`, `forbidden`
 */
export async function readable(
  reach: Reach,
  charId: string,
  ability: Ability,
): Promise<StoredCharacter> {
  const character = await reach.store.characters.get(charId)
  if (!character) return noReach(reach, charId)
  const isOpen = await isOpenTo(reach.store, character, ability, reach.caller)
  return isOpen ? character : noReach(reach, charId)
}

/**
 * The agent, if this ability of it is open to everybody, for a caller without a credential: who learns
 * nothing else, not even that there is no such agent.
 */
export async function openToEverybody(
  { characters }: Pick<Store, 'characters'>,
  charId: string,
  ability: Ability,
): Promise<StoredCharacter | undefined> {
  const character = await characters.get(charId)
  return character && mayUse(character.visibility, ability, anonymous) ? character : undefined
}

/** Who reads; without a credential too. */
export type Reading = Pick<Reach, 'store'> & { caller: Pick<Caller, 'accountId'> }

/**
 * How an operation reads what an ability of an agent opens to its readers: for callers with a credential, and
 * for those without one where it is open to everybody.
 * @param read what it reads of an agent that the caller may read
 */
export function forReaders<I extends { char_id: string }, T>(
  ability: Ability,
  read: (input: I, agent: StoredCharacter, context: Reading) => Promise<T>,
) {
  return {
    async run(input: I, context: Reach): Promise<T> {
      return read(input, await readable(context, input.char_id, ability), context)
    },
    async keyless(input: I, context: Reading): Promise<T | undefined> {
      const agent = await openToEverybody(context.store, input.char_id, ability)
      return agent && read(input, agent, context)
    },
  }
}

/** Whether the agent that the key acts as is in the same app's team as the other one. */
async function isOfTeam(
  { apps }: Needed,
  { id, owner_id, app_id }: Viewed,
  accountId: string,
  actingAs: string | undefined,
): Promise<boolean> {
  // A team belongs to one account; the id of a deleted member may belong to another account now.
  if (actingAs === undefined || app_id === null || owner_id !== accountId) return false
  const members = (await apps.get(app_id))?.team?.members ?? []
  const ids = new Set(members.map((member) => member.id))
  return ids.has(id) && ids.has(actingAs)
}

/** Whether an agent of the account, or the one that its key acts as, is an accepted friend. */
async function isFriendOf(
  { edges }: Needed,
  charId: string,
  accountId: string,
  actingAs: string | undefined,
): Promise<boolean> {
  const theirs = { friend_id: charId, owner_id: accountId, status: 'accepted' } as const
  const narrowed = actingAs === undefined ? theirs : { ...theirs, id: edgeId(actingAs, charId) }
  return (await edges.text(narrowed, { limit: 1 })).length > 0
}
