import { scrubbedInTurns } from '#src/agents/secrets/scrub-in-turns.ts'
import type { Scrub } from '#src/agents/secrets/scrubber.ts'
import type { Ports } from '#src/core/context.ts'
import { runEvent } from './events.ts'
import type { Work } from './runtimes/runtime.ts'

/** Stores the events of a run, without the secrets that it got, and tells its followers. */
export function noterOf(
  { clock, store, waiting }: Pick<Ports, 'clock' | 'store' | 'waiting'>,
  runId: string,
  scrubNow: () => Promise<Scrub>,
): Work['note'] {
  return async (type, data) => {
    const clean = await scrubbedInTurns(data, await scrubNow(), clock)
    await store.run_events.insert(runEvent(runId, type, clock.now(), clean))
    waiting.tell(runId)
  }
}
