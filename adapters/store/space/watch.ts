import { statfs } from 'node:fs/promises'
import type { Clock } from '#src/ports/clock.ts'
import type { Room, Space } from '#src/ports/space.ts'

/** Bytes of a disk. */
export interface Disk {
  free: number
  all: number
}

/** How the room is watched. */
export interface Watched {
  /** How the disk stands; undefined where that cannot be told. */
  look: () => Promise<Disk | undefined>
  /** Bytes that stay free of what strangers write; undefined for the default. */
  reserve: number | undefined
  clock: Pick<Clock, 'after' | 'monotonic'>
}

const lookEveryMs = 5000
/** How long a write that failed for lack of room is remembered: what was looked at may say otherwise. */
const rememberedMs = 15_000
/** A log that can take no more than that is as good as none. */
const leastBytes = 1_048_576
const share = 0.05
const reserveAtMost = 2 ** 30

/** What stays free where the operator says nothing: 5 % of the disk, and 1 GiB at most. */
export function reserveOf({ all }: Disk): number {
  return Math.min(all * share, reserveAtMost)
}

/** The disk under a folder. */
export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, all: blocks * bsize }
}

/** Watches the room of a disk until it is closed. Where it cannot be looked at there is enough. */
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
