import { vi } from 'vitest'

/**
 * Stops `performance.now` until `vi.restoreAllMocks`: for tests of what ends early if it takes long, which
 * on a busy machine it may at any place.
 */
export function holdTime(): void {
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now)
}
