import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { admitFriend, inTurn } from '#src/agents/friends/bounds.ts'
import { alreadyFriends, Edge, edgeId, publicEdge } from '#src/agents/friends/edge.ts'
import { noFriend } from '#src/agents/friends/unknown.ts'
import { acceptedEvents, Permissions, stillThere } from '#src/agents/friends/request.ts'

export const accept = operation({
  name: 'friends.accept',
  summary: 'Accept the request for friendship that another agent made to yours.',
  description:
    'The friend may then do at your agent what it asks (asks in friends.list), or with ' +
    'permissions only those of them; your agent may do there what the friend offered.',
  example: { char_id: 'grace', friend_id: 'ada', permissions: ['message'] },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/friends/{friend_id}/accept' },
  toolsets: ['agents'],
  repeatable: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    friend_id: z.string().max(128),
    permissions: Permissions.optional(),
  }),
  output: Edge,
  refuses: [
    'character_not_found',
    'forbidden',
    'friend_not_found',
    'already_friends',
    'write_conflict',
  ],

  run({ char_id, friend_id, permissions }, context) {
    const { store, clock, commit } = context
    return retryUnmet(async () => {
      const own = await ownCharacter(context, char_id)
      const back = await store.edges.get(edgeId(char_id, friend_id))
      const friend = back && (await store.characters.get(friend_id))
      if (!back || !friend) return noFriend(store, { char_id, status: 'pending' }, friend_id)
      const asks = asksOf(back)
      const given = permissions ?? asks
      mustBeAsked(given, asks)
      const turns = await inTurn(store, [own, friend])
      await admitFriend(store, [char_id, friend_id])
      const { requested_by: _by, asks: _asks, ...kept } = back
      const accepted: Edge = { ...kept, status: 'accepted' }
      // The words are those of the friend, which are its own there.
      const { untrusted: _marked, source: _source, ...words } = accepted
      const there = { ...words, char_id: friend_id, friend_id: char_id, permissions: given }
      const sides = [[own, accepted] as const, [friend, there] as const]
      const events = await acceptedEvents(store, sides, clock.now())
      // A request that was withdrawn and made again in between is another request.
      const same = { status: 'pending', created_at: back.created_at } as const
      return commit(publicEdge(accepted), [
        stillThere(own),
        stillThere(friend),
        ...turns,
        {
          in: 'edges',
          update: { id: back.id, ...same },
          change: { $set: { status: 'accepted' }, $unset: { requested_by: true, asks: true } },
        },
        {
          in: 'edges',
          update: { id: edgeId(friend_id, char_id), ...same },
          change: {
            $set: { status: 'accepted', permissions: given },
            $unset: { requested_by: true },
          },
        },
        ...events,
      ])
    })
  },
})

/** What the friend asks for. @throws Refusal if there is no request, or this agent cannot accept it */
function asksOf({ char_id, friend_id, status, requested_by, asks }: Edge): string[] {
  if (status === 'accepted') {
    return alreadyFriends(char_id, friend_id)
  }
  if (requested_by !== char_id) return asks ?? []
  return refuse(
    'forbidden',
    `"${char_id}" made the request itself: only "${friend_id}" can accept it.`,
  )
}

/** @throws Refusal `invalid_input` for permissions that were not asked for */
function mustBeAsked(given: readonly string[], asks: readonly string[]): void {
  const errors = given.flatMap((permission, i) =>
    asks.includes(permission)
      ? []
      : [
          {
            pointer: `/permissions/${i}`,
            message: `"${permission}" was not asked for.`,
            code: 'not_asked',
          },
        ],
  )
  if (errors.length === 0) return
  refuse('invalid_input', 'Only requested permissions can be granted.', {
    errors,
    hint: `Asked for: ${asks.join(', ') || 'nothing'}.`,
  })
}
