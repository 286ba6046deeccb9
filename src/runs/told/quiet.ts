/** Hours in which someone is not to be told, by the clocks of a place. */
export interface QuietHours {
  /** `22:00`. */
  from: string
  /** `07:00`; on the next day where it comes before `from`. */
  to: string
  /** IANA name. */
  timezone: string
}

/** When the quiet hours end that a time is in; undefined if it is in none. */
export function quietUntil(at: Date, { from, to, timezone }: QuietHours): Date | undefined {
  const here = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
  const clock = here.toPlainTime().toString({ smallestUnit: 'minute' })
  const isOverMidnight = to < from
  const isIn = isOverMidnight ? clock >= from || clock < to : clock >= from && clock < to
  if (!isIn) return undefined
  const day = here.toPlainDate().add({ days: isOverMidnight && clock >= from ? 1 : 0 })
  const end = day.toPlainDateTime(Temporal.PlainTime.from(to))
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    end.toZonedDateTime(timezone, { disambiguation }),
  )
  // A time that is left out comes as clocks are put forward; of one that comes twice, the first may be over.
  const isLeftOut = second && !second.toPlainDateTime().equals(end)
  const ends = isLeftOut ? [second.getTimeZoneTransition('previous')] : [first, second]
  const next = ends.find((one) => one && one.epochMilliseconds > at.getTime())
  return new Date(next?.epochMilliseconds ?? at.getTime())
}
