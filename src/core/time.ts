/** RFC 3339, UTC, milliseconds: the one form in which times are stored and sent. */
export function timestamp(date: Date): string {
  return date.toISOString()
}

/** That many seconds after it, as a timestamp. */
export function secondsAfter(date: Date, seconds: number): string {
  return new Date(date.getTime() + seconds * 1000).toISOString()
}
