import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Halfway to the lowest: it still gets what nobody else wants. */
const niceness = 10

/**
 * Lets the calling thread wait for a core where others want one, first of all the event loop. Linux
 * counts priorities by thread; elsewhere nothing changes.
 */
export function giveWay(): void {
  try {
    // "<process>/task/<thread>", of whoever asks.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, niceness)
  } catch {
    // A thread that cannot give way does its work all the same.
  }
}
