import type { Store } from '#src/ports/store.ts'
import type { Touched } from '#src/ports/touched.ts'
import { until } from '#tests/support/until.ts'

/** What a store has been told. */
export interface Heard {
  readonly calls: Touched[]
  /** The names of all calls. */
  names(): Set<string>
  has(name: string): boolean
  end(): void
}

/** Listens at a store. */
export function heardAt(store: Store): Heard {
  const calls: Touched[] = []
  const end = store.watch((touched) => calls.push(touched))
  const has = (name: string): boolean =>
    calls.some((touched) => touched !== 'all' && touched.has(name))
  const names = (): Set<string> =>
    new Set(calls.flatMap((touched) => (touched === 'all' ? ['all'] : [...touched])))
  return { calls, names, has, end }
}

let marks = 0

/** Writes what touches one name alone, and waits until it is told. @returns the name */
export async function marked(writer: Store, heard: Heard): Promise<string> {
  marks += 1
  const id = `run_mark${marks}`
  const event = { id: `${id}.1`, run_id: id, seq: 1, type: 'mark', at: '', data: {} }
  await writer.run_events.insert(event)
  const name = `runs/${id}`
  await until(() => heard.has(name) || heard.calls.includes('all'))
  return name
}

/**
 * Resolves once names are told, and not everything as in the beginning.
 * @param quietMs on MongoDB a newcomer is told everything once a second, for a while
 */
export async function settled(writer: Store, heard: Heard, quietMs = 0): Promise<void> {
  let quietFrom = performance.now()
  do {
    heard.calls.length = 0
    await marked(writer, heard)
    if (heard.calls.includes('all')) quietFrom = performance.now()
  } while (heard.calls.includes('all') || performance.now() - quietFrom < quietMs)
  heard.calls.length = 0
}
