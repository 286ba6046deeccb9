import type { Context } from '#src/core/context.ts'
import { sharedRead } from '#src/core/turns/shared-read.ts'
import type { AccountEvent } from './entry.ts'
import { listened } from './listen.ts'
import { eventsAfter } from './read.ts'

/** The next events of the caller's account. Listeners that have seen the same share a read. */
export function look(
  context: Context<'key'>,
  after: number,
  limit: number,
): Promise<AccountEvent[]> {
  const { store, clock, caller } = context
  const key = `account_events ${caller.accountId} ${after} ${limit}`
  return sharedRead(context, key, async () =>
    eventsAfter(store, await listened(context), after, limit, clock.now()),
  )
}
