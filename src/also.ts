import type { Write } from '#src/ports/store.ts'
import { alsoLogged } from './events/log/also.ts'
import { alsoTold } from './runs/told/news.ts'

/** What else belongs into a commit, of all districts. */
export function alsoCommitted(writes: readonly Write[], now: Date): Write[] {
  return [...alsoLogged(writes, now), ...alsoTold(writes, now)]
}
