import { Unavailable } from '#src/ports/store.ts'
import type { Ports } from '../context.ts'

/** What comes due of one kind, and what is done about each. Any number of processes may do it at once. */
export interface DueQueue<T extends { id: string }> {
  /** For the log: `an approval`. */
  name: string
  /** How many are found in one go, and how many of them are taken side by side. */
  atOnce: number
  sideBySide: number
  /** Those that are due, the longest first. */
  find(ports: Ports, now: Date, limit: number): Promise<T[]>
  /** What of one is taken one after the other; by default each by itself. */
  laneOf?(one: T): string
  /**
   * Does what is due. Before anything else it is put off or claimed, or its commit names it as it was
   * read: what a crash interrupts comes due again.
   * @returns whether it was this process, and none was quicker
   */
  take(ports: Ports, one: T, now: Date): Promise<boolean>
  /** What is done where that has failed; by default nothing, for it comes due again. */
  putOff?(ports: Ports, one: T, now: Date): Promise<unknown>
}

/**
 * Takes what is due. A fault at one is logged and holds up no other.
 * @throws Unavailable while the store is away
 * @returns how many this process has taken
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
    ports.log.error(`${queue.name} could not be seen to`, { id: one.id, cause })
    await queue.putOff?.(ports, one, now)
    return false
  }
}
