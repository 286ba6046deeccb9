import { readFileSync } from 'node:fs'

/** Milliseconds since some moment before this start of the machine; every process of it has the same. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}

/** Tells one start of the machine from another; empty where the system has no name for it. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** What makes a time of the machine's own count: kept in the store, so that its processes agree. */
export interface Anchor {
  boot: string
  /** When it was made, by `machineMs`. */
  at: number
  /** What is added to `machineMs`, in milliseconds since the epoch. */
  shift: number
}

/** An anchor at the time that the machine has now. */
export function anchorNow(): Anchor {
  const at = machineMs()
  return { boot: bootId(), at, shift: Date.now() - at }
}

/** Whether the machine has counted on since the anchor was made: not where it was started anew. */
export function holds(anchor: Anchor): boolean {
  return anchor.boot === bootId() && anchor.at <= machineMs()
}

/** The text in which an anchor is kept. */
export function anchorText({ boot, at, shift }: Anchor): string {
  return JSON.stringify([boot, at, shift])
}

/** What `anchorText` made; undefined for anything else. */
export function anchorOf(text: string): Anchor | undefined {
  const kept: unknown = JSON.parse(text)
  if (!Array.isArray(kept)) return undefined
  const [boot, at, shift] = kept as unknown[]
  const isOne = typeof boot === 'string' && typeof at === 'number' && typeof shift === 'number'
  return isOne ? { boot, at, shift } : undefined
}
