import { writeFileSync, renameSync } from 'node:fs'

/*
 * Loaded into a server before anything else (`node --expose-gc --import`): on SIGUSR2 it collects garbage and
 * writes what the process holds into the file in SOAK_LOOK, whole or not at all.
 */

/** What a process holds after garbage was collected. */
export interface Held {
  /** Grows by one with each look. */
  look: number
  rssMb: number
  heapMb: number
  /** Bytes outside the heap that objects of it hold, in MB. */
  externalMb: number
  /** Sockets, timers and the like that are open. */
  handles: number
}

const megabyte = 1024 * 1024
const file = process.env.SOAK_LOOK
let look = 0

if (file !== undefined) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    look += 1
    const held: Held = {
      look,
      rssMb: rss / megabyte,
      heapMb: heapUsed / megabyte,
      externalMb: external / megabyte,
      handles: process.getActiveResourcesInfo().length,
    }
    writeFileSync(`${file}.new`, JSON.stringify(held))
    renameSync(`${file}.new`, file)
  })
}
