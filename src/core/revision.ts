import type { CollectionName } from '#src/ports/documents.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import { refuse } from './errors.ts'

/** @throws Refusal `revision_mismatch` when the caller expected to change another revision */
export function mustBe(revision: number, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return
  refuse('revision_mismatch', `The resource has revision ${revision}, not ${expected}.`, {
    hint: 'Read it again, then decide whether to change it.',
  })
}

/** Each failed try means that another writer succeeded, so many writers at once all get through. */
const tries = 100

/**
 * Whether a commit failed because others were faster, so that it helps to decide again: what an update
 * was based on has changed, or a document that was missing has been made meanwhile. If the caller chose
 * the id, the second is a refusal, so it counts for few collections.
 */
export function isOvertaken(cause: unknown): boolean {
  return cause instanceof Unmet || (cause instanceof DuplicateKey && madeOrChanged.has(cause.in))
}

/** Collections where one call makes what the next one changes. */
const madeOrChanged: ReadonlySet<CollectionName> = new Set([
  'memory',
  'memory_shelves',
  'secrets',
  'tombstones',
  'knowledge_shelves',
  'knowledge_items',
  'commons_cards',
  'notices',
  'commons_conversations',
  'wallets',
  'spend_sums',
  'budgets',
  'subscriptions',
  'memberships',
  'tellings',
  'notification_settings',
])

/**
 * Reads, decides and commits again while others change the same document in between.
 * @throws Refusal `write_conflict` when the tries are used up
 */
export async function retryUnmet<T>(attempt: () => Promise<T>): Promise<T> {
  for (let i = 0; i < tries; i++) {
    try {
      return await attempt()
    } catch (cause) {
      if (!isOvertaken(cause)) throw cause
    }
  }
  return contended('Others kept changing the same resource.')
}

/** @throws Refusal `write_conflict` always, with these words */
export function contended(message: string): never {
  return refuse('write_conflict', message, { hint: 'Read it again, then retry.' })
}
