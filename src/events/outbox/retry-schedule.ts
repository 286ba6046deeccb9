import { hash } from 'node:crypto'

/** When a delivery is tried: seconds after its first try. */
export const tryAfterSeconds = [0, 5, 60, 300, 1800, 7200, 21_600, 50_400, 86_400] as const

/** By how much a pause is longer or shorter at most, as a fraction. */
export const jitterPart = 0.1
/** The longest pause that a receiver can ask for, in seconds. */
export const retryAfterAtMost = 86_400

/**
 * How long to wait after a failed try, in seconds from its beginning; undefined if it was the last. The
 * jitter depends on the delivery, so that those that failed together are retried at different times.
 * @param tried how many tries there were
 * @param asked the pause that the receiver asked for, in seconds
 */
export function pauseAfter(
  tried: number,
  { id, asked = 0 }: { id: string; asked?: number | undefined },
): number | undefined {
  const [last, next] = [tryAfterSeconds[tried - 1], tryAfterSeconds[tried]]
  if (last === undefined || next === undefined) return undefined
  const jittered = (next - last) * (1 + jitterPart * spread(`${id}/${tried}`))
  return Math.max(jittered, Math.min(asked, retryAfterAtMost))
}

/** A number from -1 to 1 that is always the same for this text. */
function spread(text: string): number {
  return (Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) / 0xffffffff) * 2 - 1
}

/** The seconds of a `Retry-After`, given as a number or as a date; undefined if unreadable. */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,10}$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000)
}
