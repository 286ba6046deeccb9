import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { CalendarEntry } from '#src/runs/calendar/entry.ts'
import { beginOfDay, dayMs } from './dates.ts'
import { inZone } from './moments.ts'
import { agentName, name, opens, type Look } from './parts.ts'
import { looks as runLooks } from './run-words.ts'
import type { Showing, ViewCall } from './view.ts'
import { daysFrom, weekOf, type Day, type Fire } from './week-days.ts'

/** The calendar of schedules as it is read. */
export interface Calendar {
  items: readonly CalendarEntry[]
  next_cursor: string | null
  warnings?: readonly { message: string }[]
}

/** Milliseconds since the epoch, the later one exclusive. */
interface Span {
  from: number
  before: number
}

const week = 7
const daysAtMost = 36
/** A page has no more; a hostile host may send them. */
const entriesAtMost = 500
const daysBefore = 2

/** The days of an account, an agent or a team, with what all of their schedules did and will do. */
export function calendarOf(answer: Calendar, at: Showing): Html {
  const calendar = { ...answer, items: answer.items.slice(0, entriesAtMost) }
  const span = spanOf(calendar, at)
  const days = daysOf(calendar, span, at)
  const [first, last] = [days[0]?.day, days.at(-1)?.day]
  return html`<header class="head">
      <div>
        <p class="over">Schedules · ${whoseOf(at)}</p>
        <h1>${first}${last !== first && html` – ${last}`}</h1>
      </div>
      ${stepsOf(span, at)}
    </header>
    <p class="lead">${totalsOf(calendar)}</p>
    ${calendar.warnings?.slice(0, 5).map(({ message }) => noteOf(message))} ${weekOf(days, at)}
    ${restOf(calendar, span, at)}`
}

/** What was asked for; of an answer to something else, the week of its first entry. */
function spanOf({ items }: Calendar, { input, now, zone }: Showing): Span {
  const [from, to] = [input['from'], input['to']].map((text) => Date.parse(String(text)))
  const first = items[0] && Date.parse(items[0].fires_at)
  const begin = from === undefined || Number.isNaN(from) ? beginOfDay(first ?? now, zone) : from
  const isSpan = to !== undefined && to > begin && to - begin < daysAtMost * dayMs
  return { from: begin, before: isSpan ? to : begin + week * dayMs }
}

/** Its days; the hours at its ends that belong to another day are none, unless something is in them. */
function daysOf({ items }: Calendar, { from, before }: Span, at: Showing): Day[] {
  const many = Math.round((beginOfDay(before - 1, at.zone) - beginOfDay(from, at.zone)) / dayMs) + 1
  const days = daysFrom(from, Math.min(many, daysAtMost), linesOf(items, at), at)
  const half = dayMs / 2
  const isBare = (day: Day | undefined): boolean => days.length > 1 && day?.fires.length === 0
  if (from - beginOfDay(from, at.zone) > half && isBare(days[0])) days.shift()
  if (before - beginOfDay(before - 1, at.zone) < half && isBare(days.at(-1))) days.pop()
  return days
}

/** What is alike on one day is one line: a task may fire each minute. */
function linesOf(items: readonly CalendarEntry[], at: Showing): Fire[] {
  const alike = Map.groupBy(items, ({ fires_at, char_id, task_id, ...entry }) => {
    const { word } = lookOf(entry)
    return [inZone(fires_at, 'day', at.zone), char_id, task_id, word].join('\n')
  })
  return [...alike.values()].flatMap((entries) => {
    const [first] = entries
    return first ? lineOf(first, entries, at) : []
  })
}

function lineOf(first: CalendarEntry, entries: readonly CalendarEntry[], at: Showing): Fire {
  const { char_id, task_id, message, fires_at } = first
  const { word, tone, icon } = lookOf(first)
  const many = entries.reduce((sum, entry) => sum + entry.count, 0)
  const times = many > 1 ? ` ${count(many, 'fire')} until ${endOf(first, entries, at)}.` : ''
  const said = message === null ? '' : ` ${message}`
  return {
    at: Date.parse(fires_at),
    tone,
    sign: icon,
    words: `${word}.${times}${said}`,
    of: html`${many > 1 && html`<span class="many" aria-hidden="true">×${many}</span>`}
      <span class="of">${name(first.name ?? task_id)}</span>${
        at.input['char_id'] === undefined &&
        html`<span class="of soft">${agentName(char_id, appOf(at), at)}</span>`
      }`,
    more: moreOf(first, at),
  }
}

/** When the last of them fires. To write a time is what takes longest in a calendar. */
function endOf(
  { fires_at }: CalendarEntry,
  entries: readonly CalendarEntry[],
  { zone }: Showing,
): string {
  const last = entries.at(-1)
  const until = last?.to ?? last?.fires_at ?? fires_at
  const day = inZone(until, 'day', zone)
  const isOtherDay = day !== inZone(fires_at, 'day', zone)
  return `${isOtherDay ? `${day}, ` : ''}${inZone(until, 'clock', zone)}`
}

type Shown = Omit<Look, 'tone'> & { tone: Fire['tone'] }

function lookOf({ status, run }: Pick<CalendarEntry, 'status' | 'run'>): Shown {
  switch (status) {
    case 'fired':
      return run?.status ? runLooks[run.status] : { word: 'Started', tone: 'good', icon: 'check' }
    case 'coming':
      return { word: 'To come', tone: 'coming', icon: 'clock' }
    case 'skipped':
      return { word: 'Skipped', tone: 'calm', icon: 'skip' }
    default:
      return { word: 'Does not come', tone: 'calm', icon: 'skip' }
  }
}

/** The run where there is a page for it, else the schedule of the task, unless that is gone. */
function moreOf({ char_id, task_id, name: called, run }: CalendarEntry, at: Showing) {
  const ofRun: ViewCall | undefined = run?.status
    ? { operation: 'runs.get', input: { run_id: run.id } }
    : undefined
  if (ofRun && at.page?.(ofRun) !== undefined) return ofRun
  if (called === null) return undefined
  const [agent, task] = [char_id, task_id].map((id) => id.slice(0, 128))
  return { operation: 'tasks.schedule', input: { char_id: agent, task_id: task } }
}

/** The team whose calendar it is. */
function appOf({ input }: Showing): string | null {
  const { app_id } = input
  return typeof app_id === 'string' ? app_id : null
}

function whoseOf(at: Showing): Html | string {
  const { char_id, app_id } = at.input
  if (typeof char_id === 'string') return agentName(char_id, appOf(at), at)
  return typeof app_id === 'string' ? name(app_id) : 'all agents'
}

function totalsOf({ items }: Calendar): string {
  const many = (isIt: (entry: CalendarEntry) => boolean): number =>
    items.reduce((sum, entry) => sum + (isIt(entry) ? entry.count : 0), 0)
  const failed = many((entry) => lookOf(entry).tone === 'bad')
  const started = many(({ status }) => status === 'fired')
  const coming = many(({ status }) => status === 'coming')
  const left = many(({ status }) => status === 'skipped' || status === 'not_coming')
  const parts = [
    coming > 0 && `${coming} to come`,
    started > 0 && `${started} started${failed > 0 ? `, of which ${failed} failed` : ''}`,
    left > 0 && `${left} left out`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Nothing fires in these days.' : `${parts.join('; ')}.`
}

/** What narrows the calendar, as it was asked for. */
function narrowed({ input }: Showing): Record<string, unknown> {
  const { char_id, app_id, limit } = input
  return {
    ...(typeof char_id === 'string' && { char_id: char_id.slice(0, 128) }),
    ...(typeof app_id === 'string' && { app_id: app_id.slice(0, 128) }),
    ...(typeof limit === 'number' && { limit }),
  }
}

function callOf({ from, before }: Span, at: Showing): ViewCall {
  const [since, until] = [from, before].map((moment) => new Date(moment).toISOString())
  return { operation: 'schedules.calendar', input: { from: since, to: until, ...narrowed(at) } }
}

function stepsOf({ from, before }: Span, at: Showing): Html {
  const length = before - from
  const today = beginOfDay(at.now, at.zone) - daysBefore * dayMs
  const isNow = from <= at.now && at.now < before
  const to = (begin: number, label: string): Html =>
    opens(callOf({ from: begin, before: begin + length }, at), { label, isButton: true }, at)
  return html`<nav class="buttons" aria-label="Other days">
    ${to(from - length, 'Earlier')} ${!isNow && to(today, 'Today')} ${to(before, 'Later')}
  </nav>`
}

function noteOf(message: string): Html {
  return html`<p class="soft">${withHiddenShown(message.slice(0, 300))}</p>`
}

/** How far a page goes that does not hold all of it, and what goes on after it. */
function restOf({ items, next_cursor }: Calendar, span: Span, at: Showing): Html | undefined {
  const last = items.at(-1)
  if (next_cursor === null || !last) return undefined
  const { operation, input } = callOf(span, at)
  const call = { operation, input: { ...input, cursor: next_cursor.slice(0, 1024) } }
  const until = `${inZone(last.fires_at, 'day', at.zone)}, ${inZone(last.fires_at, 'clock', at.zone)}`
  return html`<div class="asks">
    <p>This is what fires until ${until}; there is more after it.</p>
    ${opens(call, { label: 'What comes after it', isButton: true }, at)}
  </div>`
}
