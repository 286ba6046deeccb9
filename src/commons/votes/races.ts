import { retryUnmet } from '#src/core/revision.ts'
import type { CollectionName } from '#src/ports/documents.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'

/**
 * Reads, decides and commits again while others change what it depends on, or meanwhile make what it
 * found absent in `made`: for documents of which a member may have only one.
 * @throws Refusal `write_conflict` when they do not stop
 */
export function retryRace<T>(
  made: readonly CollectionName[],
  attempt: () => Promise<T>,
): Promise<T> {
  return retryUnmet(() =>
    attempt().catch((cause: unknown) => {
      if (cause instanceof DuplicateKey && made.includes(cause.in)) throw new Unmet(cause.in, 0)
      throw cause
    }),
  )
}
