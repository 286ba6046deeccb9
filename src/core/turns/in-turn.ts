import { Unavailable } from '#src/ports/store.ts'

/** The last change of each document that is under way in this process. */
const last = new Map<string, Promise<unknown>>()

/**
 * Runs changes of one document one after the other: of many transactions on it at once, all but one would
 * only be retried. Changes by other processes still collide in the store. The work must not ask for a turn
 * on the same key, or it would wait for itself.
 * @param key the document's id, in any collection
 * @throws Unavailable if the store was away for the change before, so that the next ones do not wait too
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
