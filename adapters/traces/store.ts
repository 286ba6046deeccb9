import type { Store, Write } from '#src/ports/store.ts'
import type { OpenedTraces } from './opened.ts'

/** What goes on later keeps the trace that it was made in. */
const goingOn = new Set<Write['in']>(['runs', 'events', 'deliveries'])

/** The store with a step for each commit in a trace, and with the trace in what goes on later. */
export function tracedStore<S extends Store>(store: S, traces: OpenedTraces): S {
  if (!traces.isOn) return store
  return {
    ...store,
    commit(writes: readonly Write[]) {
      if (traces.kept() === undefined) return store.commit(writes)
      const facts = { 'abode.writes': writes.length }
      const step = { name: 'store.commit', kind: 'client', facts } as const
      const trace = traces.kept()
      const kept = writes.map((write) => withTrace(write, trace))
      return traces.step(step, () => store.commit(kept))
    },
  }
}

function withTrace(write: Write, trace: string | undefined): Write {
  if (!('insert' in write) || !goingOn.has(write.in) || 'trace' in write.insert) return write
  // Each of these collections has the member.
  return { ...write, insert: { ...write.insert, trace } } as Write
}
