import { readFileSync } from 'node:fs'

/**
 * Milliseconds since some moment before the machine was last started; the same for every process on it.
 */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}

/** Identifies one start of the machine; empty if the system does not name it. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** Turns the machine's own count into a time: stored, so that all processes agree. */
export interface Anchor {
  boot: string
  /** When it was made, by `machineMs`. */
  at: number
  /** Added to `machineMs` to get milliseconds since the epoch. */
  shift: number
}

/** An anchor at the machine's present time. */
export function anchorNow(): Anchor {
  const at = machineMs()
  return { boot: bootId(), at, shift: Date.now() - at }
}

/** Whether the machine has kept counting since the anchor was made: false after a restart. */
export function holds(anchor: Anchor): boolean {
  return anchor.boot === bootId() && anchor.at <= machineMs()
}

/** The stored form of an anchor. */
export function anchorText({ boot, at, shift }: Anchor): string {
  return JSON.stringify([boot, at, shift])
}

/** Parses the result of `anchorText`; undefined for anything else. */
export function anchorOf(text: string): Anchor | undefined {
  const kept: unknown = JSON.parse(text)
  if (!Array.isArray(kept)) return undefined
  const [boot, at, shift] = kept as unknown[]
  const isOne = typeof boot === 'string' && typeof at === 'number' && typeof shift === 'number'
  return isOne ? { boot, at, shift } : undefined
}
