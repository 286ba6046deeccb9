import { randomHex } from '#src/core/ids.ts'
import type { Documents } from '#src/ports/documents.ts'
import { Unmet, type Store, type Write } from '#src/ports/store.ts'

/** What this provider keeps. */
export type Kept = Documents['test_payments']
/** Something of one kind that it keeps. */
export type KeptOf<K extends Kept['kind']> = Extract<Kept, { kind: K }>

type Place = Pick<Store, 'test_payments' | 'commit'>

/** A new id that nobody guesses: who has that of a page may open it. Sorting by id is by time. */
export function newTestId(kind: Kept['kind'] | 'event', at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `test_${kind}_${time}${randomHex(16)}`
}

/** Undefined for an id that there is not, or that is of something else. */
export async function recordOf<K extends Kept['kind']>(
  { test_payments }: Place,
  kind: K,
  id: string,
): Promise<KeptOf<K> | undefined> {
  const kept = await test_payments.get(id)
  return kept && isOf(kept, kind) ? kept : undefined
}

/** What a customer has of one kind, the newest first. */
export async function newestOf<K extends Kept['kind']>(
  { test_payments }: Place,
  kind: K,
  customer: string,
  limit: number,
): Promise<KeptOf<K>[]> {
  const all = await test_payments.find({ customer, kind }, { sort: { id: -1 }, limit })
  return all.filter((kept) => isOf(kept, kind))
}

function isOf<K extends Kept['kind']>(kept: Kept, kind: K): kept is KeptOf<K> {
  return kept.kind === kind
}

/** Puts the new state in place of the one that was read, or fails with `Unmet`. */
export function changed(kept: Kept): Write {
  const { id, revision } = kept
  return {
    in: 'test_payments',
    update: { id, revision },
    replace: { ...kept, revision: revision + 1 },
  }
}

export function made(kept: Kept): Write {
  return { in: 'test_payments', insert: kept }
}

/** Decides anew whenever somebody else was quicker. */
export async function untilMet<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (cause) {
      // Somebody's change came through each time, so that this ends.
      if (!(cause instanceof Unmet)) throw cause
    }
  }
}
