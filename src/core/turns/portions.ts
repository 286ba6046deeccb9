import type { Clock } from '#src/ports/clock.ts'
import { turnOf } from './slices.ts'

/** How long one portion takes, and one step more. */
const portionMs = 4

/** Work in steps, each of which takes a few milliseconds at most; what it makes is known at its end. */
export type Steps<T> = Generator<void, T>

/** Does all steps at once, where nothing waits for the event loop. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Does the steps in portions, each in a turn of the event loop of its own. */
export async function inPortions<T>(
  steps: Steps<T>,
  clock: Pick<Clock, 'turn' | 'monotonic'>,
): Promise<T> {
  for (;;) {
    await turnOf(clock)
    const until = clock.monotonic() + portionMs
    do {
      const { done, value } = steps.next()
      if (done) return value
    } while (clock.monotonic() < until)
  }
}

/** Does work of one step at once, and of more in portions: most work is short, and needs no turn of its own. */
export function inPortionsIfLong<T>(
  steps: Steps<T>,
  clock: Pick<Clock, 'turn' | 'monotonic'>,
): T | Promise<T> {
  const { done, value } = steps.next()
  return done ? value : inPortions(steps, clock)
}
