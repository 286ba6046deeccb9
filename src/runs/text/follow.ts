import type { Ports } from '#src/core/context.ts'
import { lookAgainMs } from '#src/core/listeners.ts'
import { marksOf, type Marks } from '#src/core/text/untrusted.ts'
import { eventsAfter } from '../history.ts'
import { hasEnded } from '../run.ts'
import { TextReader } from './reader.ts'
import type { ModelText } from './text.ts'

/** What the model of a run writes, as it comes, until the run ends or the signal is aborted; the run may begin later. */
export async function* textOf(
  ports: Pick<Ports, 'store' | 'clock' | 'waiting'>,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<ModelText & Marks, void> {
  const reader = new TextReader(ports, runId)
  let after = -1
  while (!signal.aborted) {
    // Registered before reading, so that nothing is missed in between.
    const done = new AbortController()
    const either = AbortSignal.any([signal, done.signal])
    const told = ports.waiting.until(runId, lookAgainMs(), either)
    try {
      const run = await ports.store.runs.get(runId)
      const events = run ? await eventsAfter(ports.store, run, after) : []
      after = events.at(-1)?.seq ?? after
      const marks = run ? marksOf(run) : {}
      for (const text of reader.inEvents(events)) yield { ...text, ...marks }
      if (run && hasEnded(run)) return
      const shown = run?.status === 'running' ? reader.shown(told, either) : []
      for await (const text of shown) yield { ...text, ...marks }
      await told
    } finally {
      done.abort()
    }
  }
}
