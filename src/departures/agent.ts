import { deletionLogged } from '#src/events/log/also.ts'
import { endOfConnections } from '#src/accounts/hosts/end.ts'
import { agentBytes } from '#src/agents/counted.ts'
import { thinned } from './thin.ts'
import type { Removal } from '#src/agents/removal.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { buried } from '#src/core/tombstones.ts'
import { agentsLeaving, leaveLate } from '#src/commons/people/leave.ts'
import { tokensEnded } from '#src/agents/connections/remove.ts'
import { agentsGone } from '#src/agents/directory/sync.ts'
import { leftBehind, leftOfAgent, purgeLeft } from '#src/feed/purge.ts'
import { forgotten, mediaBytes } from '#src/agents/media/store-picture.ts'
import { memoryRemoved } from '#src/agents/memory/shelf.ts'
import { secretsRemoved } from '#src/agents/secrets/remove.ts'
import { shelvesRemoved } from '#src/knowledge/remove.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { leaveSubscribers } from '#src/money/payments/subscribe.ts'
import { cancelRuns } from '#src/runs/ending/cancel.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { revisionBytes } from '#src/agents/revisions.ts'

/** Writes that delete part of what agents have, and the bytes that their account gets back. */
interface Part {
  writes: Write[]
  bytes: number
}

/**
 * Deletes agents, their tasks, friendships, secrets, memory, posts and revisions, and revokes the keys
 * that act as them. What they wrote in the Commons stays there.
 */
export async function removalOf(
  ports: Ports,
  departing: readonly StoredCharacter[],
): Promise<Removal> {
  const { store } = ports
  const { characters, bytes: tasks } = await thinned(ports, departing)
  const ids = characters.map(({ id }) => id)
  const now = ports.clock.now()
  const keys = await keysRevoked(store, ids, now)
  const hosts = await endOfConnections(store, { char_id: { $in: ids } }, now)
  const leaving = await agentsLeaving(store, ids)
  const secrets = await secretsRemoved(store, characters)
  const revisions = await revisionBytes(store, ids)
  const known = await shelvesRemoved(store, characters, now)
  const feeds = characters.map((one) => leftOfAgent(one, now))
  const media = await store.media.find({ char_id: { $in: ids } })
  const connections = await store.outbound_connections.find({ char_id: { $in: ids } })
  const burial = await buried(store, 'characters', characters, now)
  const memory = await memoryRemoved(store, characters)
  const parts: Part[] = [
    { writes: agentsRemoved(characters), bytes: agentBytes(characters) },
    { writes: belongingsRemoved(ids), bytes: tasks + revisions + mediaBytes(media) },
    secrets,
    memory,
    { writes: [...feeds.map(leftBehind), ...keys, ...hosts, ...leaving], bytes: 0 },
    known,
    { writes: burial.writes, bytes: -burial.bytes },
    { writes: deletionLogged('agent', characters, now), bytes: 0 },
  ]
  return {
    writes: parts.flatMap(({ writes }) => writes),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    async finish() {
      // Also callers of a key that was made since.
      ports.forgetCallers()
      const pictures = media.map(({ id }) => id)
      await forgotten(ports, pictures)
      await leaveLate(store, ids)
      await tokensEnded(ports, connections)
      for (const { id, owner_id } of characters) {
        // The id may belong to another account by now.
        await cancelRuns(ports, { char_id: id, owner_id }, 'character_deleted')
        await leaveSubscribers(ports, { id, owner_id })
      }
      // After the runs, which may have posted until now.
      for (const feed of feeds) await purgeLeft(ports, feed)
    },
  }
}

/** Conditional on the revision: what is deleted is what the decision was based on. */
function agentsRemoved(characters: readonly StoredCharacter[]): Write[] {
  const bound = characters.map(({ id, revision }): Write => ({
    in: 'characters',
    update: { id, revision },
    change: { $set: { revision } },
  }))
  return [...bound, ...agentsGone(characters.map(({ id }) => id))]
}

/** Documents that belong to the agents alone, under their ids. */
function belongingsRemoved(ids: readonly string[]): Write[] {
  const theirs = { char_id: { $in: ids } }
  return [
    { in: 'tasks', delete: theirs },
    { in: 'edges', delete: theirs },
    { in: 'edges', delete: { friend_id: { $in: ids } } },
    { in: 'media', delete: theirs },
    { in: 'outbound_connections', delete: theirs },
    { in: 'chats', delete: theirs },
    // A waiting notification finds its target gone when its turn comes.
    { in: 'push_targets', delete: theirs },
    { in: 'character_revisions', delete: theirs },
  ]
}

async function keysRevoked(
  { api_keys }: Pick<Store, 'api_keys'>,
  ids: readonly string[],
  now: Date,
): Promise<Write[]> {
  const theirs = { scope_char_id: { $in: ids }, revoked_at: null }
  const change = { $set: { revoked_at: timestamp(now) } }
  const keys = await api_keys.find(theirs)
  return [
    ...keys.map(({ id }): Write => ({ in: 'api_keys', update: { id }, change })),
    // Keys that were made since.
    { in: 'api_keys', delete: theirs },
  ]
}
