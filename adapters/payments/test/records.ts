import { randomHex } from '#src/core/ids.ts'
import type { Documents } from '#src/ports/documents.ts'
import { Unmet, type Store, type Write } from '#src/ports/store.ts'

/** What this provider stores. */
export type Kept = Documents['test_payments']
/** A record of one kind. */
export type KeptOf<K extends Kept['kind']> = Extract<Kept, { kind: K }>

type Place = Pick<Store, 'test_payments' | 'commit'>

/** A new unguessable id: anyone with a page's id may open it. Sorting by id is by time. */
export function newTestId(kind: Kept['kind'] | 'event', at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `test_${kind}_${time}${randomHex(16)}`
}

/** Undefined if there is no such id, or it is of another kind. */
export async function recordOf<K extends Kept['kind']>(
  { test_payments }: Place,
  kind: K,
  id: string,
): Promise<KeptOf<K> | undefined> {
  const kept = await test_payments.get(id)
  return kept && isOf(kept, kind) ? kept : undefined
}

/** A customer's records of one kind, the newest first. */
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

/** Replaces the state that was read with the new one, or fails with `Unmet`. */
export function replacementWrite(kept: Kept): Write {
  const { id, revision } = kept
  return {
    in: 'test_payments',
    update: { id, revision },
    replace: { ...kept, revision: revision + 1 },
  }
}

export function insertionWrite(kept: Kept): Write {
  return { in: 'test_payments', insert: kept }
}

/** Retries from the start whenever another process was quicker. */
export async function untilMet<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (cause) {
      // Another change succeeded each time, so this ends.
      if (!(cause instanceof Unmet)) throw cause
    }
  }
}
