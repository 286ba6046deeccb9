import { scrubbedInTurns } from '#src/agents/secrets/scrub-in-turns.ts'
import type { Scrub } from '#src/agents/secrets/scrubber.ts'
import type { Ports } from '#src/core/context.ts'
import { runEvent } from './events.ts'
import type { Work } from './runtimes/runtime.ts'
import { shownBy } from './text/text.ts'

/**
 * How a runtime tells those who follow a run: stores its events, without the secrets that it got, and shows
 * the text of its model.
 */
export function tellingOf(
  ports: Pick<Ports, 'clock' | 'store' | 'waiting'>,
  runId: string,
  scrubNow: () => Promise<Scrub>,
): Pick<Work, 'note' | 'show'> {
  const { clock, store, waiting } = ports
  const note: Work['note'] = async (type, data) => {
    const clean = await scrubbedInTurns(data, await scrubNow(), clock)
    await store.run_events.insert(runEvent(runId, type, clock.now(), clean))
    waiting.tell(runId)
  }
  return { note, show: shownBy(ports, runId) }
}
