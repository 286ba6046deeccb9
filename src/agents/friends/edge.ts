import * as z from 'zod'
import { refuse, type RefusalOptions } from '#src/core/errors.ts'
import { marked, marks } from '#src/core/text/untrusted.ts'

export const Edge = z
  .object({
    char_id: z.string(),
    friend_id: z.string(),
    relationship_type: z.string(),
    permissions: z.array(z.string()).describe('What char_id may do at friend_id.'),
    shared_abilities: z.array(z.string()),
    note: z.string().nullable(),
    status: z.enum(['pending', 'accepted']),
    requested_by: z.string().optional().describe('Of a pending one: the agent that asked.'),
    asks: z
      .array(z.string())
      .optional()
      .describe('Of a pending one that friend_id asked for: what it wants to do at char_id.'),
    created_at: z.string(),
    ...marks,
  })
  .meta({ id: 'FriendEdge' })

/** One direction of a friendship, kept under `char_id/friend_id`. */
export type Edge = z.infer<typeof Edge> & {
  id: string
  /** The account of `char_id`. */
  owner_id: string
  app_id: string | null
  /** The account of `char_id` where `friend_id` is another account's. */
  outside?: string | null
}

export const ListedEdge = Edge.partial({ permissions: true, shared_abilities: true, note: true })
  .describe('Terms, notes and what is pending are shown to the agent and its account alone.')
  .meta({ id: 'ListedFriendEdge' })

/** An accepted friendship as it is shown to others than the agent and its account. */
export function edgeForOthers(edge: z.infer<typeof Edge>): z.infer<typeof ListedEdge> {
  const { char_id, friend_id, relationship_type, status, created_at } = edge
  const shown = { char_id, friend_id, relationship_type, status, created_at }
  return { ...shown, ...marked({ kind: 'friend', char_id }) }
}

/** The edge as the wire shows it. */
export function publicEdge(edge: Edge): z.infer<typeof Edge> {
  const { id: _id, owner_id: _owner, app_id: _app, outside: _outside, ...shown } = edge
  return shown
}

/** The key of an edge. */
export function edgeId(charId: string, friendId: string): string {
  return `${charId}/${friendId}`
}

/** @throws Refusal `already_friends` always */
export function alreadyFriends(
  charId: string,
  friendId: string,
  options?: Pick<RefusalOptions, 'hint'>,
): never {
  return refuse('already_friends', `"${friendId}" is already a friend of "${charId}".`, options)
}
