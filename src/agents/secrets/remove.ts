import { sizeOfAll } from '#src/core/counts/quotas.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { SecretShelf } from './stored-secrets.ts'

/** A shelf as it was read. The key distinguishes it from that of a later agent with the same id. */
export function asRead({ id, revision, data_key }: SecretShelf): Filter<SecretShelf> {
  return { id, revision, data_key }
}

/**
 * What is deleted with agents, and the bytes that it counted. The writes fail as `isOvertaken` tells if
 * secrets were changed meanwhile.
 */
export async function secretsRemoved(
  { secrets }: Pick<Store, 'secrets'>,
  agents: readonly { id: string; owner_id: string }[],
): Promise<{ writes: Write[]; bytes: number }> {
  const ids = agents.map(({ id }) => id)
  const shelves = await secrets.find({ id: { $in: ids } })
  const byId = new Map(shelves.map((shelf) => [shelf.id, shelf]))
  const bound = agents.map(({ id, owner_id }): Write => {
    const shelf = byId.get(id)
    if (shelf) {
      const { revision } = shelf
      return { in: 'secrets', update: asRead(shelf), change: { $set: { revision } } }
    }
    // If there is no shelf yet, one that is created meanwhile is matched as well.
    return { in: 'secrets', insert: { id, owner_id, data_key: '', secrets: {}, revision: 0 } }
  })
  const writes: Write[] = [...bound, { in: 'secrets', delete: { id: { $in: ids } } }]
  return { writes, bytes: sizeOfAll(shelves) }
}
