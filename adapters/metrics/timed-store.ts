import { DuplicateKey, Unavailable, Unmet } from '#src/ports/store.ts'
import type { Metrics, StoreCall, StoreFault } from './counted.ts'
import { noMetrics } from './metrics.ts'

/** The methods of a collection, by what they do to it. */
const methods: Readonly<Record<string, StoreCall>> = {
  get: 'read',
  find: 'read',
  count: 'read',
  text: 'read',
  pick: 'read',
  insert: 'write',
  update: 'write',
  delete: 'write',
}
const calls: Readonly<Record<string, StoreCall>> = {
  texts: 'read',
  commit: 'commit',
  search: 'search',
}

/** The store with its calls timed and counted; the same one where nothing is counted. */
export function timedStore<S extends object>(store: S, metrics: Pick<Metrics, 'stored'>): S {
  if (metrics === noMetrics) return store
  const parts = Object.entries(store).map(([name, part]: [string, unknown]) => {
    const isCollection = typeof part === 'object' && part !== null && 'pick' in part
    return [name, isCollection ? timed(part, methods, metrics) : part]
  })
  // Each part has the form of the one that it stands for.
  return timed(Object.fromEntries(parts) as S, calls, metrics)
}

function timed<T extends object>(
  inner: T,
  named: Readonly<Record<string, StoreCall>>,
  metrics: Pick<Metrics, 'stored'>,
): T {
  const made: Record<string, unknown> = Object.fromEntries(Object.entries(inner))
  for (const [name, call] of Object.entries(named)) {
    const method = made[name]
    if (typeof method !== 'function') continue
    made[name] = async (...given: unknown[]): Promise<unknown> => {
      const begun = performance.now()
      let fault: StoreFault | undefined
      try {
        return await Reflect.apply(method, inner, given)
      } catch (cause) {
        fault = faultOf(cause)
        throw cause
      } finally {
        metrics.stored(call, (performance.now() - begun) / 1000, fault)
      }
    }
  }
  // Its methods are called as they were, and awaited.
  return made as T
}

/** What a refused write is no fault of. */
function faultOf(cause: unknown): StoreFault | undefined {
  if (cause instanceof DuplicateKey || cause instanceof Unmet) return undefined
  if (!(cause instanceof Unavailable)) return 'fault'
  if (cause.isFull) return 'full'
  return cause.outcomeUnknown ? 'outcome_unknown' : 'unavailable'
}
