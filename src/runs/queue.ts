import type { Effect } from '#src/core/effects.ts'
import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredRun } from './run.ts'

/** What a queued run waits for before anyone may take it. */
const isPutOff: ReadonlySet<StoredRun['waits_for']> = new Set(['turn', 'resume', 'time'])

/** The account of each run that the writes queue. */
export function ownersOf(writes: readonly Write[]): string[] {
  return writes.flatMap((write) => {
    if (write.in !== 'runs') return []
    if ('insert' in write) {
      const { status, waits_for, owner_id } = write.insert
      return status === 'queued' && !isPutOff.has(waits_for) ? [owner_id] : []
    }
    // A run whose turn has come.
    const isReleased = 'change' in write && write.change.$set?.waits_for != null
    const ownerId = isReleased ? write.update.owner_id : null
    return typeof ownerId === 'string' ? [ownerId] : []
  })
}

/** Wakes our workers, and agents that wait to lease runs, after runs were queued. */
export const announceRuns: Effect = (ports, writes) => {
  const counts = new Map<string, number>()
  for (const ownerId of ownersOf(writes)) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1)
  for (const [ownerId, count] of counts) announceQueued(ports, ownerId, count)
}

function announceQueued(
  ports: Pick<Ports, 'wake' | 'waiting'>,
  ownerId: string,
  count: number,
): void {
  ports.wake.runs(count, ownerId)
  ports.waiting.tell(brainQueue(ownerId))
}

/** The key on which agents wait to lease runs of this account. */
export function brainQueue(ownerId: string): string {
  return `brain:${ownerId}`
}
