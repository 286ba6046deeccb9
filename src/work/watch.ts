import type { Ports } from '#src/core/context.ts'
import { brainQueue } from '#src/runs/queue.ts'
import { hasEnded, isWaiting } from '#src/runs/run.ts'

/** Acts when called, and then pauses; calls during the pause lead to one more act after it. */
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
 * Wakes what waits in this process when another process on the store has ended a run, made it wait
 * for someone's answer, or queued it for an agent. Returns the function that stops watching.
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
          // A run that is missing is about to be written, and its writer is already waiting for it.
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
