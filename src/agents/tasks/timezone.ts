import * as z from 'zod'
import { nearest, type Effort } from '#src/core/input/nearest.ts'
import type { RuleParams } from '#src/core/input/correction/rules.ts'

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

/** A zone by its name in the IANA database. */
export const Timezone = z.string().superRefine((name, context) => {
  if (isTimezone(name)) return
  context.addIssue({ code: 'custom', message: noTimezone, params: unknownTimezone(name) })
})

/** What is said of a name that is none of a zone. */
export function unknownTimezone(name: string): RuleParams & { code: string } {
  return { code: 'unknown_timezone', meant: (effort) => zoneMeant(name, effort) }
}

/** Zones that others name without a place, where the words can mean only one. */
const otherNames: Readonly<Record<string, string>> = {
  aest: 'Australia/Sydney',
  calcutta: 'Asia/Kolkata',
  cdt: 'America/Chicago',
  central: 'America/Chicago',
  cest: 'Europe/Berlin',
  eastern: 'America/New_York',
  edt: 'America/New_York',
  jst: 'Asia/Tokyo',
  kolkata: 'Asia/Kolkata',
  kyiv: 'Europe/Kyiv',
  mdt: 'America/Denver',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  z: 'UTC',
}

let known: { zones: readonly string[]; cities: ReadonlyMap<string, string> } | undefined

function knownZones(): NonNullable<typeof known> {
  if (known) return known
  const zones = Intl.supportedValuesOf('timeZone')
  const cities = new Map(zones.map((zone) => [folded(zone.split('/').at(-1) ?? ''), zone]))
  return (known = { zones, cities })
}

/** The zone of a city, of other words for it, or of a name that is spelled wrongly; undefined where none is near. */
function zoneMeant(name: string, effort: Effort): string | undefined {
  const { zones, cities } = knownZones()
  const said = folded(name.slice(0, charactersAtMost))
  const city = said.split('/').at(-1) ?? ''
  const word = city.replace(/_(?:standard_|daylight_)?time$/, '')
  return (
    (Object.hasOwn(otherNames, word) ? otherNames[word] : undefined) ??
    cities.get(city) ??
    nearest(said, zones, effort) ??
    cities.get(nearest(city, cities.keys(), effort) ?? '')
  )
}

const charactersAtMost = 64

function folded(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
}
