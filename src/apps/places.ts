import { Places } from '#src/core/turns/places.ts'

/** Each operation holds an app with all its tasks in memory, and all share the event loop. */
const places = new Places({ each: 8, all: 16, of: 'operations on apps' })

/** Works on an app in a place of the account. @throws Refusal `rate_limited`, `unavailable` if there is none */
export function inPlace<T>(
  { caller }: { caller: { accountId: string } },
  work: () => Promise<T>,
): Promise<T> {
  return places.hold(caller.accountId, work)
}
