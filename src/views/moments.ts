import { html, type Html } from '#src/core/html/html.ts'
import type { Showing } from './view.ts'

type Form = 'moment' | 'dated' | 'day' | 'past' | 'clock' | 'date'

const forms: Readonly<Record<Form, Intl.DateTimeFormatOptions>> = {
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  dated: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  date: { day: '2-digit', month: '2-digit', year: 'numeric' },
  past: { day: 'numeric', month: 'short', year: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit' },
}

/** How times are written in one form and zone, and the last ones that were, by their minutes. */
interface Clockwork {
  format: Intl.DateTimeFormat
  written: Map<number, string>
}

/** To make one takes longer than to use it a hundred times; a page is shown in one zone. */
const made = new Map<string, Clockwork>()
const madeAtMost = 64
/** Many of what a page shows happened in the same minute, and all of it again on the next page. */
const writtenAtMost = 512
const minuteMs = 60_000

/** A time by the clocks of a zone. @throws RangeError for what is no time, or no zone */
export function inZone(at: string | number, form: Form, zone: string): string {
  const key = `${form} ${zone}`
  const { format, written } = made.get(key) ?? clockwork(key, form, zone)
  const time = new Date(at).getTime()
  const minute = Math.floor(time / minuteMs)
  const known = written.get(minute)
  if (known !== undefined) return known
  const text = format.format(time)
  if (written.size >= writtenAtMost) written.clear()
  written.set(minute, text)
  return text
}

function clockwork(key: string, form: Form, zone: string): Clockwork {
  const options = { ...forms[form], hourCycle: 'h23', timeZone: zone } as const
  const one = { format: new Intl.DateTimeFormat('en-GB', options), written: new Map() }
  if (made.size >= madeAtMost) made.clear()
  made.set(key, one)
  return one
}

/** A time for people, by the clocks of their zone, with the same in UTC for who points at it. */
export function timeOf(at: string, { zone }: Pick<Showing, 'zone'>): Html {
  return written(at, 'moment', zone)
}

/** The same with its year, for what may be long ago. */
export function datedTimeOf(at: string, { zone }: Pick<Showing, 'zone'>): Html {
  return written(at, 'dated', zone)
}

function written(at: string, form: Form, zone: string): Html {
  const utc = new Date(at).toISOString()
  return html`<time datetime="${utc}" title="${utc}">${inZone(at, form, zone)}</time>`
}

/** The day of a time for people who may read it years later, wherever they are. */
export function dayOf(at: string): Html {
  const utc = new Date(at).toISOString()
  return html`<time datetime="${utc}" title="${utc}">${inZone(at, 'past', 'UTC')}</time>`
}

/** How long something took, in its two largest units. */
export function lasted(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return joined([minutes, 'min'], [Math.floor(seconds % 60), 's'])
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return joined([hours, 'h'], [minutes % 60, 'min'])
  return joined([Math.floor(hours / 24), 'd'], [hours % 24, 'h'])
}

function joined(...parts: readonly [number, string][]): string {
  return parts
    .flatMap(([many, unit], i) => (many > 0 || i === 0 ? `${many} ${unit}` : []))
    .join(' ')
}
