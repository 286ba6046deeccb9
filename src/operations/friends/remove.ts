import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { edgeId } from '#src/agents/friends/edge.ts'
import { noFriend } from '#src/agents/friends/unknown.ts'

export const remove = operation({
  name: 'friends.remove',
  summary: 'End a friendship of an agent, or withdraw or decline a request for one.',
  description: 'Both directions end at once.',
  example: { char_id: 'ada', friend_id: 'grace' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'DELETE', path: '/api/characters/{char_id}/friends/{friend_id}' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), friend_id: z.string().max(128) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['character_not_found', 'forbidden', 'friend_not_found'],
  destructive: true,

  async run({ char_id, friend_id }, context) {
    await ownRow(context, char_id)
    const ids = [edgeId(char_id, friend_id), edgeId(friend_id, char_id)]
    const found = await context.store.edges.text({ id: { $in: ids } }, { limit: 1 })
    if (found.length === 0) return noFriend(context.store, { char_id }, friend_id)
    const gone = { id: friend_id, deleted: true as const }
    return context.commit(gone, [{ in: 'edges', delete: { id: { $in: ids } } }])
  },
})
