import type { Write } from '#src/ports/store.ts'
import type { Effect } from '../effects.ts'

/** The account that a write makes grow or shrink, and by how many bytes. */
type Growth = readonly [accountId: string, bytes: number]

const growths = new WeakMap<Write, Growth[]>()

/**
 * Counts a write among the stored bytes of an account as soon as its commit has succeeded. The write must
 * be conditional on the state that the bytes were counted from.
 */
export function growing(write: Write, accountId: string, bytes: number): Write {
  const known = growths.get(write)
  if (known) known.push([accountId, bytes])
  else growths.set(write, [[accountId, bytes]])
  return write
}

/** Counts the growth declared by the writes of a commit. */
export const countGrowth: Effect = ({ quotas }, writes) => {
  for (const write of writes) {
    for (const [accountId, bytes] of growths.get(write) ?? []) quotas.addBytes(accountId, bytes)
  }
}
