import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'

/** Reads that begin in the next turn of the event loop, of each store, by what they read. */
const soon = new WeakMap<Store, Map<string, Promise<unknown>>>()

/**
 * A read that all share who ask for it in one turn of the event loop: many are told of the same at once. It begins
 * after the call, so that who registers first and then reads misses nothing.
 * @param key what is read, and by whom if that matters; the same key stands for a read of the same type
 */
export function sharedRead<T>(
  { store, clock }: { store: Store; clock: Pick<Clock, 'turn'> },
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const reads = soon.get(store) ?? new Map<string, Promise<unknown>>()
  soon.set(store, reads)
  // As the key says.
  const known = reads.get(key) as Promise<T> | undefined
  if (known) return known
  const made = clock.turn().then(() => {
    reads.delete(key)
    return read()
  })
  reads.set(key, made)
  return made
}
