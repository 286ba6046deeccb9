import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import type { Store } from '#src/ports/store.ts'
import type { Edge } from './edge.ts'

/** Among what a friend is sought: the friendships of an agent of the caller, or only those of one status. */
interface Among {
  char_id: string
  status?: Edge['status']
}

/** @throws Refusal `friend_not_found` always, with the nearest of the friends that the agent has */
export async function noFriend(
  { edges }: Pick<Store, 'edges'>,
  { char_id, status }: Among,
  friendId: string,
): Promise<never> {
  const among = { char_id, ...(status && { status }) }
  const rows = await edges.pick(['friend_id'], among, { limit: idsAtMost })
  const hint = idHint(friendId, { ids: rows.flat(), list: call('friends.list', { char_id }) })
  const words = status === 'pending' ? 'has not asked' : 'is not a friend of'
  const ending = status === 'pending' ? ' for anything' : ''
  return refuse('friend_not_found', `"${friendId}" ${words} "${char_id}"${ending}.`, { hint })
}
