import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'
import { difficultyFor } from './proof-of-work.ts'

const hourMs = 3_600_000

/**
 * How many bits a new challenge asks for: it depends on how many joined in the past hour, on any
 * process.
 */
export async function difficultyNow(
  { commons_identities }: Pick<Store, 'commons_identities'>,
  now: Date,
): Promise<number> {
  const since = timestamp(new Date(now.getTime() - hourMs))
  return difficultyFor(await commons_identities.count({ joined_at: { $gte: since } }))
}
