import type { Clock } from '#src/ports/clock.ts'
import type { Log } from '#src/ports/log.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'

/** What a look at the store is made with. */
export interface Looked {
  store: OpenedStore
  tally: NonNullable<OpenedStore['tally']>
  now: Date
}

/** Finds some figures out. */
export type Look = (looked: Looked) => Promise<void>

const leastPauseMs = 5000
/** Looks take at most a fiftieth of the time, however much there is to count. */
const pauseForEach = 50

/**
 * Looks at the store now and then, from now until the returned function is called: so that reading the figures
 * costs nothing, however much is stored.
 */
export function startLooking(
  looks: readonly Look[],
  { store, clock, log }: { store: OpenedStore; clock: Clock; log: Log },
): () => Promise<void> {
  const { tally = nothing } = store
  let isClosed = false
  let hasFailed = false
  let cancel = (): void => undefined
  const once = async (): Promise<void> => {
    const begun = performance.now()
    try {
      const looked = { store, tally, now: await store.now() }
      for (const look of looks) if (!isClosed) await look(looked)
      hasFailed = false
    } catch (cause) {
      const isNews = !hasFailed && !isClosed
      if (isNews) log.warn('figures of the store could not be found out', { cause })
      hasFailed = true
    }
    if (isClosed) return
    const pause = Math.max(leastPauseMs, (performance.now() - begun) * pauseForEach)
    cancel = clock.after(pause, () => {
      looking = once()
    })
  }
  let looking = once()
  return () => {
    isClosed = true
    cancel()
    return looking
  }
}

const nothing: Looked['tally'] = () => Promise.resolve([])

/** How long ago it was; 0 for what is to come, and for nothing. */
export function secondsSince(now: Date, at: string | number | null | undefined): number {
  if (typeof at !== 'string') return 0
  return Math.max(0, (now.getTime() - Date.parse(at)) / 1000) || 0
}
