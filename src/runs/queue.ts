import type { Effect } from '#src/core/effects.ts'
import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'

/** Of each run that the writes queue, the account. */
export function ownersOf(writes: readonly Write[]): string[] {
  return writes.flatMap((write) => {
    if (write.in !== 'runs') return []
    if ('insert' in write) {
      const { status, waits_for, owner_id } = write.insert
      return status === 'queued' && waits_for !== 'turn' ? [owner_id] : []
    }
    // One whose turn has come.
    const isReleased = 'change' in write && write.change.$set?.waits_for != null
    const ownerId = isReleased ? write.update.owner_id : null
    return typeof ownerId === 'string' ? [ownerId] : []
  })
}

/** Runs that were queued are looked for by our workers, and by agents that lease runs. */
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

/** What agents that lease runs of this account wait for. */
export function brainQueue(ownerId: string): string {
  return `brain:${ownerId}`
}
