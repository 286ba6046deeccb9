import type { Context } from '#src/core/context.ts'
import type { Store } from '#src/ports/store.ts'
import type { AccountEvent } from './entry.ts'
import { listened } from './listen.ts'
import { eventsAfter } from './read.ts'

/** Reads that begin in the next turn of the event loop, of each store, by what they read. */
const soon = new WeakMap<Store, Map<string, Promise<AccountEvent[]>>>()

/**
 * The next events of the caller's account. Listeners that have seen the same share a read. It begins after the
 * call, so that who registers first and then looks misses nothing.
 */
export function look(
  context: Context<'key'>,
  after: number,
  limit: number,
): Promise<AccountEvent[]> {
  const { store, clock, caller } = context
  const reads = soon.get(store) ?? new Map<string, Promise<AccountEvent[]>>()
  soon.set(store, reads)
  const key = `${caller.accountId} ${after} ${limit}`
  const known = reads.get(key)
  if (known) return known
  const read = clock.turn().then(async () => {
    reads.delete(key)
    return eventsAfter(store, await listened(context), after, limit, clock.now())
  })
  reads.set(key, read)
  return read
}
