/** RFC 3339, UTC, milliseconds: the only form in which times are stored and sent. */
export function timestamp(date: Date): string {
  return date.toISOString()
}

/** The time so many seconds later, as a timestamp. */
export function secondsAfter(date: Date, seconds: number): string {
  return new Date(date.getTime() + seconds * 1000).toISOString()
}
