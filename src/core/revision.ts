import type { CollectionName } from '#src/ports/documents.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import { refuse } from './errors.ts'

/** @throws Refusal `revision_mismatch` when the caller expected to change another revision */
export function mustBe(revision: number, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return
  refuse('revision_mismatch', `The resource has revision ${revision}, not ${expected}.`, {
    hint: 'Read it again, and decide anew whether to change it.',
  })
}

/** Each try that fails is a change by somebody else, so that of many at once all come through. */
const tries = 100

/**
 * Whether a commit failed because others were quicker, so that deciding anew helps: what an update
 * rests on has changed, or what was not there to be changed has been made meanwhile. Of things whose
 * ids a caller chooses the second is a refusal, so it counts for few collections.
 */
export function isOvertaken(cause: unknown): boolean {
  return cause instanceof Unmet || (cause instanceof DuplicateKey && madeOrChanged.has(cause.in))
}

/** Where one call makes what the next one changes. */
const madeOrChanged: ReadonlySet<CollectionName> = new Set([
  'memory',
  'knowledge_shelves',
  'knowledge_items',
  'commons_cards',
  'commons_conversations',
  'wallets',
  'subscriptions',
])

/**
 * Reads, decides and commits again while others change the same document in between.
 * @throws Refusal `write_conflict` when they never stop
 */
export async function retryUnmet<T>(attempt: () => Promise<T>): Promise<T> {
  for (let i = 0; i < tries; i++) {
    try {
      return await attempt()
    } catch (cause) {
      if (!isOvertaken(cause)) throw cause
    }
  }
  return refuse('write_conflict', 'Others changed the same resource again and again.', {
    hint: 'Read it again, then retry.',
  })
}
