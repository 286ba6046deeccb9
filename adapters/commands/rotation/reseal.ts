import type { Sealer } from '#src/core/seal.ts'
import type { Store } from '#src/ports/store.ts'
import type { SealedPlace, SealedText } from './places.ts'

/** How many are read and written together. */
const atOnce = 50

/** The sealers that open the old texts and seal the new ones. */
export interface Sealers {
  old: Sealer
  fresh: Sealer
}

/** The result for one place. */
export interface Resealed {
  /** How many are sealed under the new key now, including those that already were. */
  count: number
  /** The ids of documents whose text neither key opens. */
  broken: string[]
}

/**
 * Seals every text of a place under the new key. Texts already sealed under it are left, so an
 * interrupted rotation continues where it stopped.
 */
export async function resealPlace(
  store: Store,
  place: SealedPlace,
  sealers: Sealers,
): Promise<Resealed> {
  const all: Resealed = { count: 0, broken: [] }
  for (let after = ''; ;) {
    const rows = await place.next(store, after, atOnce)
    const texts = rows.map(([id, sealed]) => ({ id: String(id), sealed: String(sealed) }))
    // Together, so that they share the disk syncs; if one fails, the others are still awaited.
    const ends = await Promise.allSettled(texts.map((text) => one(store, place, sealers, text)))
    const done = ends.map((end) => (end.status === 'fulfilled' ? end.value : fail(end.reason)))
    all.count += done.filter((isDone) => isDone).length
    all.broken.push(...texts.filter((_, i) => !done[i]).map(({ id }) => id))
    const last = texts.at(-1)
    if (!last) return all
    after = last.id
  }
}

function fail(cause: unknown): never {
  throw cause
}

async function one(
  store: Store,
  place: SealedPlace,
  { old, fresh }: Sealers,
  text: SealedText,
): Promise<boolean> {
  const binding = { id: text.id, purpose: place.purpose }
  if (openedBy(fresh, text.sealed, binding) !== undefined) return true
  const plain = openedBy(old, text.sealed, binding)
  if (plain === undefined) return false
  if (await place.swap(store, text, fresh.seal(plain, binding))) return true
  throw new StoreChanged(place.collection)
}

/** Another process has written to the store in the meantime. */
export class StoreChanged extends Error {
  override readonly name = 'StoreChanged'

  constructor(collection: string) {
    super(
      `Another process has changed ${collection} in the meantime: stop every server of this store, then ` +
        'call this command again. Nothing is lost.',
    )
  }
}

function openedBy(
  sealer: Sealer,
  sealed: string,
  binding: { id: string; purpose: string },
): string | undefined {
  try {
    return sealer.open(sealed, binding)
  } catch {
    return undefined
  }
}
