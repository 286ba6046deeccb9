import type { Ports } from '#src/core/context.ts'

/** What is counted for each account, and where it is. */
const counted = [
  ['agents', 'characters'],
  ['apps', 'apps'],
] as const

/**
 * Counts the agents and apps of an account again, and mends a figure that is wrong: quotas rely on them. A change in
 * between changes the figure too, which is then left for the next time.
 */
export async function recount(
  { store, log }: Pick<Ports, 'store' | 'log'>,
  account_id: string,
): Promise<void> {
  for (const [name, collection] of counted) {
    const [row] = await store.usage.pick([name], { id: account_id }, { limit: 1 })
    if (!row) return
    const kept = Number(row[0] ?? 0)
    const number = await store[collection].count({ owner_id: account_id })
    if (number === kept) continue
    const asRead = { id: account_id, [name]: row[0] ?? null }
    if (!(await store.usage.update(asRead, { $set: { [name]: number } }))) continue
    log.warn('a figure was wrong, and is counted again', { account_id, name, kept, number })
  }
}
