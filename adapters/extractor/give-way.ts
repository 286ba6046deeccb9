import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Halfway to the lowest priority: it still gets the processor time that no one else wants. */
const niceness = 10

/**
 * Lowers the priority of the calling thread, so that others, most of all the event loop, get a core
 * first. Linux counts priorities by thread; on other systems nothing changes.
 */
export function giveWay(): void {
  try {
    // "<process>/task/<thread>" of the calling thread.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, niceness)
  } catch {
    // A thread that cannot lower its priority works all the same.
  }
}
