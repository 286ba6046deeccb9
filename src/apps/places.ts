import { FairQueue } from '#src/core/turns/fair-queue.ts'
import { Places } from '#src/core/turns/places.ts'

/** What an operation needs of its caller. */
interface Place {
  caller: { accountId: string }
}

/** Each operation holds an app in memory, and all share the event loop. */
const places = new Places({ each: 8, all: 16, line: 16, of: 'operations on apps' })

/** A whole manifest is megabytes, also while it waits: three accounts leave a place for others. */
const manifestPlaces = new Places({ each: 4, all: 16, of: 'operations on manifests' })

/** Manifests that are applied at the same time would fill the memory together. */
const manifests = new FairQueue({ all: Infinity, each: Infinity })

/** Works on an app in a place of the account. @throws Refusal `rate_limited`, `unavailable` if there is none */
export function inPlace<T>({ caller }: Place, work: () => Promise<T>): Promise<T> {
  return places.hold(caller.accountId, work)
}

/**
 * Works on a whole manifest, with all that is there of its app, in a place of the account: one at a time, and
 * accounts take turns. The work must not wait for another of its kind.
 * @throws Refusal `rate_limited`, `unavailable` if there is no place
 */
export function onManifest<T>({ caller }: Place, work: () => Promise<T>): Promise<T> {
  return manifestPlaces.hold(caller.accountId, async () => {
    const leave = await manifests.take(caller.accountId)
    try {
      return await work()
    } finally {
      leave?.()
    }
  })
}
