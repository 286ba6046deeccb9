import * as z from 'zod'
import type { StoredCharacter } from '../character.ts'
import { permissions as knownPermissions } from '../known.ts'
import type { Warning } from '#src/core/schema.ts'
import { marked, marksOf } from '#src/core/text/untrusted.ts'
import { timestamp } from '#src/core/time.ts'
import { emitted } from '#src/events/emit.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { Notices } from '../tasks/notices.ts'
import { edgeId, type Edge } from './edge.ts'

/** What an agent may do at another, as a request or its acceptance lists it. */
export const Permissions = z.array(z.string().min(1).max(100)).max(50)

/** What a request asks for and offers. */
export interface Terms {
  relationship_type: string
  /** What the requester wants to do at the other agent. */
  permissions: string[]
  /** What it lets the other agent do at itself. */
  grants: string[]
  shared_abilities: string[]
  note: string | null
}

type Agent = Pick<StoredCharacter, 'id' | 'owner_id' | 'app_id'>

/** When a friendship is requested, and by whom: the owner, or an agent by a key that acts as it. */
export interface Asking {
  now: Date
  isByAgent: boolean
}

/**
 * Both directions of a friendship: accepted at once if one owner of both requests it; otherwise
 * pending, and the reverse edge holds what is asked of the other side, so that it can decide.
 */
export function requestedEdges(
  from: Agent,
  to: Agent,
  terms: Terms,
  { now, isByAgent }: Asking,
): [Edge, Edge] {
  const { relationship_type, permissions, grants, shared_abilities, note } = terms
  const isOutside = from.owner_id !== to.owner_id
  const isPending = isOutside || isByAgent
  const status = isPending ? 'pending' : 'accepted'
  const shared = { relationship_type, shared_abilities, note, created_at: timestamp(now) } as const
  const asked = isPending ? { requested_by: from.id } : {}
  const there: Edge = {
    char_id: from.id,
    friend_id: to.id,
    ...shared,
    permissions,
    status,
    ...asked,
    id: edgeId(from.id, to.id),
    owner_id: from.owner_id,
    app_id: null,
    ...(isOutside && { outside: from.owner_id }),
  }
  const back: Edge = {
    char_id: to.id,
    friend_id: from.id,
    ...shared,
    permissions: grants,
    status,
    ...asked,
    ...(isPending && { asks: permissions }),
    // The words of another account.
    ...(isOutside && marked({ kind: 'friend', account: from.owner_id, char_id: from.id })),
    id: edgeId(to.id, from.id),
    owner_id: to.owner_id,
    app_id: null,
    ...(isOutside && { outside: to.owner_id }),
  }
  return [there, back]
}

/**
 * Changes nothing, and fails the commit (`Unmet`) if the agent is gone or another account's: a
 * friendship must not outlive an agent whose id may be reused.
 */
export function stillThere({ id, owner_id }: Agent): Write {
  return { in: 'characters', update: { id, owner_id }, change: { $set: { owner_id } } }
}

/** Warns about unknown permissions. @param lists each by its pointer in the input */
export function permissionWarnings(lists: Readonly<Record<string, readonly string[]>>): Warning[] {
  const notices = new Notices(() => undefined)
  for (const [pointer, permissions] of Object.entries(lists)) {
    for (const [i, permission] of permissions.entries()) {
      notices.unless(knownPermissions, permission, `${pointer}/${i}`, 'it allows nothing')
    }
  }
  return notices.all
}

/** The events of an accepted friendship: each side gets that of its own direction. */
export async function acceptedEvents(
  store: Store,
  sides: readonly (readonly [Agent, Edge])[],
  now: Date,
): Promise<Write[]> {
  const writes: Write[] = []
  for (const [agent, edge] of sides) {
    const { char_id, friend_id, relationship_type, permissions } = edge
    const happening = {
      type: 'friend.accepted',
      ownerId: agent.owner_id,
      charId: agent.id,
      appId: agent.app_id,
      data: { char_id, friend_id, relationship_type, permissions },
      source: marksOf(edge).source,
    }
    writes.push(...(await emitted(store, happening, now)))
  }
  return writes
}
