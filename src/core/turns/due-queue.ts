import { Unavailable } from '#src/ports/store.ts'
import type { Ports } from '../context.ts'

/** What falls due of one kind, and how it is handled. Any number of processes may work on it at once. */
export interface DueQueue<T extends { id: string }> {
  /** For the log: `an approval`. */
  name: string
  /** How many are found at once, and how many of them are handled in parallel. */
  atOnce: number
  sideBySide: number
  /** Those that are due, the longest overdue first. */
  find(ports: Ports, now: Date, limit: number): Promise<T[]>
  /** Those of one lane are handled one after the other; by default each has its own lane. */
  laneOf?(one: T): string
  /**
   * Handles one that is due. It is first put off or claimed, or its commit is conditional on the state that
   * was read: work that a crash interrupts falls due again.
   * @returns whether this process handled it, and no other was faster
   */
  take(ports: Ports, one: T, now: Date): Promise<boolean>
  /** Called after a failure; by default nothing, because it falls due again. */
  putOff?(ports: Ports, one: T, now: Date): Promise<unknown>
}

/**
 * Handles what is due. A fault at one is logged and holds up no other.
 * @throws Unavailable while the store is away
 * @returns how many this process has handled
 */
export async function takeDue<T extends { id: string }>(
  ports: Ports,
  queue: DueQueue<T>,
  now: Date,
): Promise<number> {
  const due = await queue.find(ports, now, queue.atOnce)
  const lanes = [...Map.groupBy(due, (one) => queue.laneOf?.(one) ?? one.id).values()]
  let taken = 0
  const work = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane; lane = lanes.shift()) {
      for (const one of lane) if (await isTaken(ports, queue, one, now)) taken += 1
    }
  }
  await Promise.all(Array.from({ length: queue.sideBySide }, work))
  return taken
}

async function isTaken<T extends { id: string }>(
  ports: Ports,
  queue: DueQueue<T>,
  one: T,
  now: Date,
): Promise<boolean> {
  try {
    return await queue.take(ports, one, now)
  } catch (cause) {
    if (cause instanceof Unavailable) throw cause
    ports.log.error(`${queue.name} could not be handled`, { id: one.id, cause })
    await queue.putOff?.(ports, one, now)
    return false
  }
}
