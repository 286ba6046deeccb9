import type { Ports } from '#src/core/context.ts'
import { brainQueue } from '#src/runs/queue.ts'
import { hasEnded, isWaiting } from '#src/runs/run.ts'

/** Does it when called, but no more often than so; what is called meanwhile is done once afterwards. */
export function pacedBy(
  clock: Pick<Ports['clock'], 'after'>,
  milliseconds: number,
  act: () => void,
): () => void {
  let isResting = false
  let isWanted = false
  const now = (): void => {
    isResting = true
    isWanted = false
    act()
    clock.after(milliseconds, () => {
      isResting = false
      if (isWanted) now()
    })
  }
  return () => {
    if (isResting) isWanted = true
    else now()
  }
}

/**
 * Tells those who wait in this process of what other processes on the store did: runs that ended or
 * wait for somebody, and runs that wait for an agent. Gives the function that ends it.
 */
export function watchOthers(ports: Ports): () => void {
  let looking = false
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    try {
      for (const key of ports.waiting.keys()) {
        if (key.startsWith(brainQueue(''))) ports.waiting.tell(key)
        else if (key.startsWith('run_')) {
          const run = await ports.store.runs.get(key)
          // A run that is not there yet is about to be written: whoever wrote it waits already.
          if (run && (hasEnded(run) || isWaiting(run))) ports.waiting.tell(key)
        }
      }
    } catch (cause) {
      ports.log.warn('other processes could not be watched', { cause })
    } finally {
      looking = false
    }
  }
  return ports.store.watch(() => void look())
}
