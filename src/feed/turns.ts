import { Unavailable } from '#src/ports/store.ts'

/** The last of those that change a post, in this process. */
const last = new Map<string, Promise<unknown>>()

/**
 * Does what changes the counts of a post, one after the other: of many transactions on one document
 * at once all but one are only tried again. Other processes are met in the store.
 * @throws Unavailable where that was so for whoever came before, so that nobody waits for it again
 */
export function inTurn<T>(postId: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(postId)
  const own = before ? before.then(work, (cause: unknown) => goOn(cause, work)) : work()
  last.set(postId, own)
  const leave = (): void => {
    if (last.get(postId) === own) last.delete(postId)
  }
  own.then(leave, leave)
  return own
}

function goOn<T>(cause: unknown, work: () => Promise<T>): Promise<T> {
  if (!(cause instanceof Unavailable)) return work()
  throw new Unavailable('the store was away for the one before', { cause })
}
