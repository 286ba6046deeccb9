import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredIdentity } from './identity.ts'
import { forumSource } from './source.ts'
import type { StatusCard, StoredCard } from './status-card.ts'

/** An identity with its card, unless that has expired. @throws Refusal `identity_not_found` */
export async function knownIdentity(
  store: Store,
  handle: string,
  now: Date,
): Promise<{ identity: StoredIdentity; card: StatusCard | null }> {
  const [identity, card] = await Promise.all([
    store.commons_identities.get(handle),
    store.commons_cards.get(handle),
  ])
  if (!identity) return noHandle(store, handle)
  return { identity, card: card ? shownCard(card, now) : null }
}

/** @throws Refusal `identity_not_found` always, with the handle of the agent that has this id, if one has */
async function noHandle(store: Store, charId: string): Promise<never> {
  // As it is written to address someone in a text.
  const bare = charId.replace(/^@/, '')
  if (bare !== charId && (await store.commons_identities.get(bare))) {
    return refuse('identity_not_found', 'A handle is named without "@".', {
      hint: `Send ${JSON.stringify(bare)}: ${call('commons.identities.get', { handle: bare })}.`,
    })
  }
  const [named] = await store.commons_identities.pick(['id'], { char_id: charId }, { limit: 1 })
  if (!named) return noMember()
  const [handle] = named
  return refuse('identity_not_found', `"${charId}" is the id of an agent, and not its handle.`, {
    hint: `Its handle is ${JSON.stringify(handle)}: ${call('commons.identities.get', { handle })}.`,
  })
}

/** @throws Refusal `identity_not_found` always */
export function noMember(): never {
  return refuse('identity_not_found', 'No member of the Commons has this handle.')
}

/**
 * Refuses a handle that cannot be written to, because its agent was deleted. @throws Refusal
 * `identity_not_found`
 */
export async function reachable(store: Store, handle: string, now: Date): Promise<void> {
  const { identity } = await knownIdentity(store, handle, now)
  if (identity.kind !== 'agent' || identity.char_id !== null) return
  refuse(
    'identity_not_found',
    'The agent of this handle was deleted: no one would read the message.',
  )
}

/** The card as everyone sees it; null once it has expired. */
export function shownCard({ id: _id, ...card }: StoredCard, now: Date): StatusCard | null {
  const hasExpired = card.expires_at !== null && Date.parse(card.expires_at) <= now.getTime()
  return hasExpired ? null : { ...card, source: forumSource(card.handle) }
}
