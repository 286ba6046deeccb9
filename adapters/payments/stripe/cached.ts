import type { Clock } from '#src/ports/clock.ts'

/** A value that is loaded seldom, however often it is used. */
export interface Cached<T> {
  get: () => Promise<T>
  /** The value, if it is cached. */
  fresh: () => T | undefined
}

/** Caches a loaded value for a while; simultaneous callers load it once, and a failure is not cached. */
export function cached<T>(
  clock: Pick<Clock, 'monotonic'>,
  seconds: number,
  load: () => Promise<T>,
): Cached<T> {
  let kept: { value: T; until: number } | undefined
  let loading: Promise<T> | undefined
  const fresh = (): T | undefined =>
    kept && kept.until > clock.monotonic() ? kept.value : undefined
  const loaded = async (): Promise<T> => {
    try {
      const value = await load()
      kept = { value, until: clock.monotonic() + seconds * 1000 }
      return value
    } finally {
      loading = undefined
    }
  }
  return {
    fresh,
    async get() {
      return fresh() ?? (loading ??= loaded())
    },
  }
}
