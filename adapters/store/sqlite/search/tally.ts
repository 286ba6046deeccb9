import { stat } from 'node:fs/promises'
import { collections } from '#src/collections.ts'
import type { StoreSizes, Tallied, Tally } from '#adapters/store/opened.ts'
import { column, ordered, where } from '../filter.ts'
import type { SearchThread } from './thread.ts'

/** Counts documents of the embedded store in its thread. @throws TypeError, Unavailable */
export async function tallied(thread: SearchThread, tally: Tally): Promise<Tallied[]> {
  const definition = collections[tally.in]
  const columns = [...tally.by, tally.least].map((path) => column(definition, path))
  const condition = where(definition, tally.filter)
  const order = ordered(definition, { sort: tally.sort, limit: tally.atMost })
  return thread.count({
    count: `SELECT ${columns.join(', ')} FROM "${tally.in}"${condition.sql}${order.sql}`,
    values: [...condition.values, ...order.values],
  })
}

/** The bytes of the database's files. @param path null for a database in memory */
export async function sizesOf(path: string | null): Promise<StoreSizes> {
  const [data, log] = await Promise.all(['', '-wal'].map((end) => sizeOf(path, end)))
  return { data: data ?? 0, indexes: 0, log: log ?? 0 }
}

async function sizeOf(path: string | null, end: string): Promise<number> {
  if (path === null) return 0
  // The log has no file before the first write.
  return stat(path + end).then(
    ({ size }) => size,
    () => 0,
  )
}
