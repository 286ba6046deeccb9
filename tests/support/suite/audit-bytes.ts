import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Store } from '#src/ports/store.ts'

/** How many bytes the records of what was changed count, which stay when what they tell of goes. */
export async function auditBytes({ audit }: Pick<Store, 'audit'>): Promise<number> {
  const records = await audit.find({})
  return records.reduce((sum, record) => sum + sizeOf(record), 0)
}
