import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Store } from '#src/ports/store.ts'

/** What the marks of all that an account has deleted count there. */
export async function gravesOf(
  { tombstones, audit }: Pick<Store, 'tombstones' | 'audit'>,
  accountId: string,
): Promise<number> {
  const graves = await tombstones.find({})
  const marks = graves
    .filter(({ counts_for }) => counts_for === accountId)
    .reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  return marks + (await auditBytes({ audit }, accountId))
}

/** What the records of an account's security count, which outlive what they tell of. */
export async function auditBytes(
  { audit }: Pick<Store, 'audit'>,
  account_id: string,
): Promise<number> {
  const records = await audit.find({ account_id })
  return records.reduce((sum, record) => sum + sizeOf(record), 0)
}

/** What the calls count that are, or were, owed to addresses outside. */
export async function owedBytes(
  { deliveries }: Pick<Store, 'deliveries'>,
  owner_id: string,
): Promise<number> {
  const owed = await deliveries.find({ owner_id })
  return owed.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
}
