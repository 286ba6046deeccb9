import type { Ports } from '#src/core/context.ts'
import { belowZeroAtMost } from '#src/core/counts/stored-bytes.ts'
import type { Store } from '#src/ports/store.ts'

/** How many an account has of what is counted for it. Agents of an app are counted by their app alone. */
export const numberOf = {
  agents: (store: Store, owner_id: string) => store.characters.count({ owner_id, app_id: null }),
  apps: (store: Store, owner_id: string) => store.apps.count({ owner_id }),
} as const
/** What is counted for each account. */
export const countedNames = ['agents', 'apps'] as const

/**
 * Counts the agents and apps of an account again, and mends a figure that is wrong: quotas rely on them. A change in
 * between changes the figure too, which is then left for the next time. Bytes are too many to count; those of which
 * fewer than none are stored begin at 0 again.
 */
export async function recount(
  { store, log }: Pick<Ports, 'store' | 'log'>,
  account_id: string,
): Promise<void> {
  for (const name of countedNames) {
    const [row] = await store.usage.pick([name], { id: account_id }, { limit: 1 })
    if (!row) return
    const kept = Number(row[0] ?? 0)
    const number = await numberOf[name](store, account_id)
    if (number === kept) continue
    const asRead = { id: account_id, [name]: row[0] ?? null }
    if (!(await store.usage.update(asRead, { $set: { [name]: number } }))) continue
    log.warn('a figure was wrong, and is counted again', { account_id, name, kept, number })
  }
  await mendBytes({ store, log }, account_id)
}

/** A process that was killed may have lost what was added, and not what was deleted. */
async function mendBytes({ store, log }: Pick<Ports, 'store' | 'log'>, id: string): Promise<void> {
  const [row] = await store.usage.pick(['bytes'], { id }, { limit: 1 })
  const bytes = Number(row?.[0] ?? 0)
  if (bytes >= -belowZeroAtMost) return
  if (!(await store.usage.update({ id, bytes }, { $set: { bytes: 0 } }))) return
  log.warn('a figure was below 0, and begins at 0 again', { account_id: id, name: 'bytes', bytes })
}
