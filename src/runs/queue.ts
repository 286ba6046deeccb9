import type { Write } from '#src/ports/store.ts'
import type { Ports } from '#src/core/context.ts'

/** Of each run that the writes queue, the account. */
export function ownersOf(writes: readonly Write[]): string[] {
  return writes.flatMap((write) => {
    if (write.in !== 'runs') return []
    if ('insert' in write) return write.insert.status === 'queued' ? [write.insert.owner_id] : []
    // One whose turn has come.
    const isReleased = 'change' in write && write.change.$set?.waits_for != null
    const ownerId = isReleased ? write.update.owner_id : null
    return typeof ownerId === 'string' ? [ownerId] : []
  })
}

/** After the commit of new runs: our workers and the agents that lease runs look for them. */
export function announceQueued(
  ports: Pick<Ports, 'wake' | 'waiting'>,
  ownerId: string,
  count: number,
): void {
  if (count === 0) return
  ports.wake.runs(count, ownerId)
  ports.waiting.tell(brainQueue(ownerId))
}

/** What agents that lease runs of this account wait for. */
export function brainQueue(ownerId: string): string {
  return `brain:${ownerId}`
}
