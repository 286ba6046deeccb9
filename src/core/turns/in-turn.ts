import { Unavailable } from '#src/ports/store.ts'

/** The last of those that change a document, in this process. */
const last = new Map<string, Promise<unknown>>()

/**
 * Does what changes one document, one after the other: of many transactions on it at once all but one
 * are only tried again. Other processes are met in the store. Whoever has the turn must not ask for it
 * again inside, which would wait for itself.
 * @param key the document's id, in whatever collection it is
 * @throws Unavailable where that was so for whoever came before, so that nobody waits for it again
 */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key)
  const own = before ? before.then(work, (cause: unknown) => goOn(cause, work)) : work()
  last.set(key, own)
  const leave = (): void => {
    if (last.get(key) === own) last.delete(key)
  }
  own.then(leave, leave)
  return own
}

function goOn<T>(cause: unknown, work: () => Promise<T>): Promise<T> {
  if (!(cause instanceof Unavailable)) return work()
  throw new Unavailable('the store was away for the one before', { cause })
}
