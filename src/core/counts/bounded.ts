import * as z from 'zod'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection, Picked } from '#src/ports/store.ts'

/** So many are counted; of more it is only said that there are more. */
export const countedAtMost = 100

/** How many of each are named. */
export const namedAtMost = 5

export const BoundedCount = z
  .object({
    count: z.int(),
    more: z.boolean().describe(`Whether there are more: ${countedAtMost} of a kind are counted.`),
  })
  .meta({ id: 'BoundedCount' })
/** How many there are, as far as it is quick to count. */
export type BoundedCount = z.infer<typeof BoundedCount>

/** Counts what an index finds. */
export async function countedUpTo<T extends { id: string }>(
  collection: Pick<Collection<T>, 'count'>,
  filter: Filter<T>,
): Promise<BoundedCount> {
  const count = await collection.count(filter, countedAtMost + 1)
  return { count: Math.min(count, countedAtMost), more: count > countedAtMost }
}

/** A number that is known without counting. */
export function known(count: number): BoundedCount {
  return { count, more: false }
}

/** A picked value that is a text. */
export function textIn(value: Picked[number] | undefined): string | null {
  return typeof value === 'string' ? value : null
}
