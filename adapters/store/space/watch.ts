import { statfs } from 'node:fs/promises'
import type { Clock } from '#src/ports/clock.ts'
import type { Room, Space } from '#src/ports/space.ts'

/** The size and free space of a disk, in bytes. */
export interface Disk {
  free: number
  all: number
}

/** How free space is watched. */
export interface Watched {
  /** Measures the disk; undefined if that is not possible. */
  look: () => Promise<Disk | undefined>
  /** Bytes that callers' writes must leave free; undefined for the default. */
  reserve: number | undefined
  clock: Pick<Clock, 'after' | 'monotonic'>
}

const lookEveryMs = 5000
/** How long a write that failed for lack of space counts, even if the measured space contradicts it. */
const rememberedMs = 15_000
/** With less free space than this, the disk counts as full. */
const leastBytes = 1_048_576
const share = 0.05
const reserveAtMost = 2 ** 30

/** The default reserve: 5 % of the disk, but at most 1 GiB. */
export function reserveOf({ all }: Disk): number {
  return Math.min(all * share, reserveAtMost)
}

/** The disk that holds a folder. */
export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, all: blocks * bsize }
}

/**
 * Watches the free space of a disk until it is closed. If it cannot be measured, it counts as
 * sufficient.
 */
export async function watchSpace(watched: Watched): Promise<Space> {
  const { look, clock } = watched
  let found: Room = 'ok'
  let fullAt = -Infinity
  let isClosed = false
  let cancel: (() => void) | undefined

  const once = async (): Promise<void> => {
    const disk = await look().catch(() => undefined)
    found = disk ? roomOf(disk, watched.reserve) : 'ok'
  }
  const again = (): void => {
    cancel = clock.after(lookEveryMs, () => void next())
  }
  const next = async (): Promise<void> => {
    await once()
    if (!isClosed) again()
  }
  await once()
  again()
  return {
    get room() {
      return clock.monotonic() - fullAt < rememberedMs ? 'full' : found
    },
    noteFull: () => void (fullAt = clock.monotonic()),
    close() {
      isClosed = true
      cancel?.()
    },
  }
}

function roomOf(disk: Disk, reserve: number | undefined): Room {
  if (disk.free < leastBytes) return 'full'
  return disk.free < (reserve ?? reserveOf(disk)) ? 'low' : 'ok'
}
