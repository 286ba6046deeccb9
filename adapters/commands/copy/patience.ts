import { setTimeout as sleep } from 'node:timers/promises'
import { DuplicateKey, Unavailable, type Store, type Write } from '#src/ports/store.ts'

// After a process is killed, the database takes a minute to give up its transaction.
const pausesMs = [200, 1000, 5000, 15_000, 45_000]

/** Retries when the store was unavailable. */
export async function patiently(work: (isFirst: boolean) => Promise<void>): Promise<void> {
  for (const [tries, pause] of pausesMs.entries()) {
    try {
      await work(tries === 0)
      return
    } catch (cause) {
      if (!(cause instanceof Unavailable)) throw cause
      await sleep(pause)
    }
  }
  await work(false)
}

/** A batch is written completely or not at all, so it can be retried. @throws DuplicateKey */
export async function commitBatch(to: Store, writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) return
  await patiently(async (isFirst) => {
    try {
      await to.commit(writes)
    } catch (cause) {
      // The previous attempt took effect, but its answer was lost.
      if (isFirst || !(cause instanceof DuplicateKey)) throw cause
    }
  })
}
