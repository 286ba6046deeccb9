import type { Clock } from '#src/ports/clock.ts'

/** Something that is asked for seldom, however often it is wanted. */
export interface Cached<T> {
  get: () => Promise<T>
  /** What is there already. */
  fresh: () => T | undefined
}

/** Keeps what was loaded for a while; many who want it at once load it once, and a failure is not kept. */
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
