import { thinned } from './thin.ts'
import type { Removal } from '#src/agents/removal.ts'
import type { Ports } from '#src/core/context.ts'
import { sizeOfAll } from '#src/core/counts/quotas.ts'
import { timestamp } from '#src/core/time.ts'
import { buried } from '#src/core/tombstones.ts'
import { targetsRemoved } from '#src/runs/chat/push/remove.ts'
import { agentsLeaving, leaveLate } from '#src/commons/people/leave.ts'
import { agentsGone } from '#src/agents/directory/sync.ts'
import { leftBehind, leftOfAgent, purgeLeft } from '#src/feed/purge.ts'
import { forgotten, mediaBytes } from '#src/agents/media/store-picture.ts'
import { memoryBytes } from '#src/agents/memory/put.ts'
import { shelvesRemoved } from '#src/knowledge/remove.ts'
import type { Write } from '#src/ports/store.ts'
import { leaveSubscribers } from '#src/money/payments/subscribe.ts'
import { cancelRuns } from '#src/runs/ending/cancel.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { revisionBytes } from '#src/agents/revisions.ts'

/**
 * Deletes agents, their tasks, friendships, secrets, memory, posts and revisions, and revokes the keys
 * that act as them. What they wrote in the Commons stays there.
 */
export async function removalOf(
  ports: Ports,
  departing: readonly StoredCharacter[],
): Promise<Removal> {
  const characters = await thinned(ports, departing)
  const ids = characters.map(({ id }) => id)
  const tasks = await ports.store.tasks.find({ char_id: { $in: ids } })
  const now = ports.clock.now()
  const keys = await ports.store.api_keys.find({ scope_char_id: { $in: ids }, revoked_at: null })
  const leaving = await agentsLeaving(ports.store, ids)
  const pushed = await targetsRemoved(ports.store, ids)
  const shelves = await ports.store.secrets.find({ id: { $in: ids } })
  const revisions = await revisionBytes(ports.store, ids)
  const known = await shelvesRemoved(ports.store, characters, now)
  const feeds = characters.map((one) => leftOfAgent(one, now))
  const media = await ports.store.media.find({ char_id: { $in: ids } })
  const burial = await buried(ports.store, 'characters', characters, now)
  let remembered = mediaBytes(media)
  for (const id of ids) remembered += await memoryBytes(ports.store, id)
  const writes: Write[] = [
    // The revision is bound, so that what was decided on is what goes.
    ...characters.map(({ id, revision }): Write => ({
      in: 'characters',
      update: { id, revision },
      change: { $set: { revision } },
    })),
    ...agentsGone(ids),
    { in: 'tasks', delete: { char_id: { $in: ids } } },
    { in: 'edges', delete: { char_id: { $in: ids } } },
    { in: 'edges', delete: { friend_id: { $in: ids } } },
    { in: 'secrets', delete: { id: { $in: ids } } },
    { in: 'memory', delete: { char_id: { $in: ids } } },
    { in: 'media', delete: { char_id: { $in: ids } } },
    { in: 'chats', delete: { char_id: { $in: ids } } },
    ...feeds.map(leftBehind),
    { in: 'character_revisions', delete: { char_id: { $in: ids } } },
    ...keys.map(({ id }): Write => ({
      in: 'api_keys',
      update: { id },
      change: { $set: { revoked_at: timestamp(now) } },
    })),
    // Those that were made since.
    { in: 'api_keys', delete: { scope_char_id: { $in: ids }, revoked_at: null } },
    ...leaving,
    ...pushed,
    ...known.writes,
    ...burial.writes,
  ]
  return {
    writes,
    bytes:
      sizeOfAll([...characters, ...tasks, ...shelves]) +
      revisions +
      remembered +
      known.bytes -
      burial.bytes,
    async finish() {
      // Also of a key that was made since, and used.
      ports.forgetCallers()
      await forgotten(
        ports,
        media.map(({ id }) => id),
      )
      await leaveLate(ports.store, ids)
      for (const { id, owner_id } of characters) {
        // The id may be another account's by now.
        await cancelRuns(ports, { char_id: id, owner_id }, 'character_deleted')
        await leaveSubscribers(ports, { id, owner_id })
      }
      // After the runs, which may have posted until now.
      for (const feed of feeds) await purgeLeft(ports, feed)
    },
  }
}
