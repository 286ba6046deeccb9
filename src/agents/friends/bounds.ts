import { Refusal } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import type { Store, Write } from '#src/ports/store.ts'

/** How many accepted friends an agent may have. */
export const friendsAtMost = 1000
/** How many requests of an agent, sent and received, may be pending. */
export const pendingAtMost = 100
/** How many pending requests to one agent may come from one account. */
export const pendingOfOneAtMost = 10

type Needed = Pick<Store, 'edges'>

function full(what: string, limit: number, hint: string): Refusal {
  return new Refusal('quota_exceeded', `${what} (at most ${limit}).`, { hint })
}

/**
 * The writes that enforce the bounds: of several requests or acceptances at once at agents of an
 * account, the first commits and the others fail (`Unmet`). To be called before the bounds are read.
 */
export async function inTurn(
  { usage }: Pick<Store, 'usage'>,
  agents: readonly { owner_id: string }[],
): Promise<Write[]> {
  const accounts = [...new Set(agents.map(({ owner_id }) => owner_id))]
  return Promise.all(
    accounts.map(async (id): Promise<Write> => {
      const friend_turns = (await usage.get(id))?.friend_turns ?? null
      return { in: 'usage', update: { id, friend_turns }, change: { $inc: { friend_turns: 1 } } }
    }),
  )
}

/** @throws Refusal `quota_exceeded` where one of the agents has as many friends as it may */
export async function admitFriend({ edges }: Needed, ids: readonly string[]): Promise<void> {
  for (const char_id of ids) {
    if ((await edges.count({ char_id, status: 'accepted' })) < friendsAtMost) continue
    const hint = `${call('friends.remove', { char_id })} makes room.`
    throw full(`The agent "${char_id}" has no room for another friend`, friendsAtMost, hint)
  }
}

/** @throws Refusal `quota_exceeded` where too many requests wait already */
export async function admitRequest(
  { edges }: Needed,
  from: { id: string; owner_id: string },
  to: { id: string },
): Promise<void> {
  for (const { id } of [from, to]) {
    if ((await edges.count({ char_id: id, status: 'pending' })) < pendingAtMost) continue
    const hint = 'Wait until some are accepted, or withdraw or decline some with <friends.remove>.'
    throw full(`Too many friend requests are pending at "${id}"`, pendingAtMost, hint)
  }
  const own = { friend_id: to.id, owner_id: from.owner_id, status: 'pending' } as const
  if ((await edges.count(own)) < pendingOfOneAtMost) return
  const hint = 'Wait until they are accepted, or withdraw some with <friends.remove>.'
  throw full(
    `Too many requests of this account are pending at "${to.id}"`,
    pendingOfOneAtMost,
    hint,
  )
}
