// Lower-cased valid names, so that the check costs its 50 us once per name.
const good = new Set<string>(['utc'])

/** Whether it is a name of the IANA database; offsets such as `+02:00` are not. */
export function isTimezone(name: string): boolean {
  const key = name.toLowerCase()
  if (good.has(key)) return true
  if (!/^[a-z]/.test(key)) return false
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  good.add(key)
  return true
}

/** The words of the fault `unknown_timezone`. */
export const noTimezone = 'must be a time zone of the IANA database, such as "Europe/Berlin"'
