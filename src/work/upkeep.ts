import { fillDirectory } from '#src/agents/directory/backfill.ts'
import { fillMemoryWords } from '#src/agents/memory/backfill.ts'
import type { Ports } from '#src/core/context.ts'
import { fillFeeds } from '#src/feed/backfill.ts'
import { purges } from '#src/purges.ts'

/**
 * Fills in what stores of before lack, and purges what has expired.
 * @returns for how many kinds there may be more to purge
 */
export async function upkeep(ports: Ports, now: Date): Promise<number> {
  await fillDirectory(ports.store, now)
  await fillFeeds(ports, now)
  await fillMemoryWords(ports.store, now)
  let unfinished = 0
  for (const purge of purges) if (await purge(ports, now)) unfinished += 1
  return unfinished
}
