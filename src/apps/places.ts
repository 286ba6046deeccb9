import { Places } from '#src/core/turns/places.ts'

/** Each holds an app with all its tasks in memory, and all share what the event loop has to spare. */
const places = new Places({ each: 8, all: 16, of: 'operations on apps' })

/** Works on an app in a place of the account. @throws Refusal `rate_limited`, `unavailable` where there is none */
export function inPlace<T>(
  { caller }: { caller: { accountId: string } },
  work: () => Promise<T>,
): Promise<T> {
  return places.hold(caller.accountId, work)
}
