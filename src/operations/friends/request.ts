import * as z from 'zod'
import { ownCharacter, unknownAgent } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { call } from '#src/core/words/reference.ts'
import { admitFriend, admitRequest, inTurn } from '#src/agents/friends/bounds.ts'
import { alreadyFriends, Edge, edgeId, publicEdge } from '#src/agents/friends/edge.ts'
import {
  acceptedEvents,
  Permissions,
  permissionWarnings,
  requestedEdges,
  stillThere,
} from '#src/agents/friends/request.ts'
import { mayAsk } from '#src/agents/visibility/friends-level.ts'
import { DuplicateKey } from '#src/ports/store.ts'

export const request = operation({
  name: 'friends.request',
  summary:
    'Ask another agent to be a friend; it is accepted at once if the account owns both agents.',
  description:
    'permissions is what you ask to do there (message, run_task, read_feed, read_memory, ' +
    'approve); grants is what the friend may do at yours, by default the same. Another account ' +
    'answers with friends.accept or friends.remove; if a key that acts as the agent asks, so ' +
    'does the other agent or the account. Whom an agent lets ask its ability_access.friends says, ' +
    'once it is set; unset, it is everybody.',
  example: { char_id: 'ada', friend_id: 'grace', permissions: ['message'] },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/friends', status: 201 },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    friend_id: z.string().max(128),
    relationship_type: z.string().min(1).max(100).default('friend'),
    permissions: Permissions.default([]),
    grants: Permissions.optional(),
    shared_abilities: Permissions.default([]),
    note: z.string().max(1000).nullable().default(null),
  }),
  output: Edge.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'already_friends',
    'request_pending',
    'write_conflict',
  ],

  run({ char_id, friend_id, ...sent }, context) {
    if (friend_id === char_id) {
      const message = 'An agent cannot be its own friend.'
      const errors = [{ pointer: '/friend_id', message, code: 'self' }]
      return refuse('invalid_input', message, { errors })
    }
    const { caller, store, clock, commit } = context
    const terms = { ...sent, grants: sent.grants ?? sent.permissions }
    const warnings = permissionWarnings({
      '/permissions': terms.permissions,
      ...(sent.grants && { '/grants': sent.grants }),
    })
    return retryUnmet(async () => {
      const from = await ownCharacter(context, char_id)
      const to = await store.characters.get(friend_id)
      if (!to) return unknownAgent(context, friend_id)
      const turns = await inTurn(store, [from, to])
      const ids = [edgeId(char_id, friend_id), edgeId(friend_id, char_id)]
      const [known] = await store.edges.find({ id: { $in: ids } }, { limit: 1 })
      const answers = caller.charId === undefined && from.owner_id === to.owner_id
      if (known) return already(known, char_id, friend_id, answers)
      if (!(await mayAsk(store, to, caller))) return closedTo(to)
      const now = clock.now()
      const [edge, back] = requestedEdges(from, to, terms, {
        now,
        isByAgent: caller.charId !== undefined,
      })
      const isAccepted = edge.status === 'accepted'
      await admitFriend(store, [char_id, friend_id])
      if (!isAccepted) await admitRequest(store, from, to)
      const sides = [[from, edge] as const, [to, back] as const]
      const events = isAccepted ? await acceptedEvents(store, sides, now) : []
      return commit(withWarnings(publicEdge(edge), warnings), [
        stillThere(from),
        stillThere(to),
        ...turns,
        { in: 'edges', insert: edge },
        { in: 'edges', insert: back },
        ...events,
      ]).catch((cause: unknown) => {
        if (!(cause instanceof DuplicateKey) || cause.in !== 'edges') throw cause
        return refuse('request_pending', `"${friend_id}" was asked at the same time.`, { cause })
      })
    })
  },
})

/** @throws Refusal `forbidden` always */
function closedTo({ id }: { id: string }): never {
  return refuse('forbidden', `"${id}" does not take requests for friendship from you.`, {
    hint: 'Its ability_access.friends says whom it lets ask; it may ask your agent itself, or its account may open it.',
  })
}

/** @param answers the caller may accept for either side */
function already(
  { status, requested_by }: Edge,
  char_id: string,
  friend_id: string,
  answers: boolean,
): never {
  if (status === 'accepted') {
    return alreadyFriends(char_id, friend_id, {
      hint: `For other terms, remove the friendship with ${call('friends.remove', { char_id, friend_id })}, then ask again.`,
    })
  }
  return requested_by === char_id
    ? refuse('request_pending', `"${friend_id}" was already asked, and has not answered.`, {
        hint: answers
          ? `${call('friends.accept', { char_id: friend_id, friend_id: char_id })} accepts it.`
          : `Wait, or withdraw it with ${call('friends.remove', { char_id, friend_id })}.`,
      })
    : refuse('request_pending', `"${friend_id}" has already asked "${char_id}".`, {
        hint: `Accept it with ${call('friends.accept', { char_id, friend_id })}, or decline it with ${call('friends.remove', { char_id, friend_id })}.`,
      })
}
