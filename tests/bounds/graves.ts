import type { Store } from '#src/ports/store.ts'

/** What the marks of all that an account has deleted count there. */
export async function gravesOf(
  { tombstones }: Pick<Store, 'tombstones'>,
  accountId: string,
): Promise<number> {
  const graves = await tombstones.find({})
  return graves
    .filter(({ counts_for }) => counts_for === accountId)
    .reduce((sum, { bytes = 0 }) => sum + bytes, 0)
}

/** What the calls count that are, or were, owed to addresses outside. */
export async function owedBytes(
  { deliveries }: Pick<Store, 'deliveries'>,
  owner_id: string,
): Promise<number> {
  const owed = await deliveries.find({ owner_id })
  return owed.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
}
