import { inZone } from './moments.ts'

export const dayMs = 86_400_000

/** The date of a moment by the clocks of a zone, as `2026-03-02`. */
export function dateOf(at: number, zone: string): string {
  const [day, month, year = ''] = inZone(at, 'date', zone).split('/')
  return `${year.padStart(4, '0')}-${month}-${day}`
}

/** When a date begins by the clocks of a zone, in milliseconds since the epoch; NaN for what is no date. */
export function beginOf(date: string, zone: string): number {
  const asUtc = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : NaN
  if (Number.isNaN(asUtc)) return NaN
  // The clocks may be changed on that day, even at its beginning.
  const [earlier = NaN, later = NaN] = [asUtc - dayMs, asUtc + dayMs]
    .map((near) => asUtc - ahead(near, zone))
    .toSorted((a, b) => a - b)
  // Beyond the year 9999 no date is known.
  if (Number.isNaN(earlier + later)) return NaN
  return dateOf(earlier, zone) === date ? earlier : later
}

/** When the day of a moment began. */
export function beginOfDay(at: number, zone: string): number {
  return beginOf(dateOf(at, zone), zone)
}

/** The date so many days later, or earlier. */
export function daysLater(date: string, many: number): string {
  return new Date(Date.parse(date) + many * dayMs).toISOString().slice(0, 10)
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function ahead(at: number, zone: string): number {
  const shown = Date.parse(`${dateOf(at, zone)}T${inZone(at, 'clock', zone)}Z`)
  return shown - Math.floor(at / 60_000) * 60_000
}
