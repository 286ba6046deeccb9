import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { UpcomingFire } from '#src/runs/schedules/outlook.ts'
import type { Slot } from '#src/runs/schedules/slot.ts'
import type { ScheduleState } from '#src/runs/schedules/state.ts'
import { inZone } from './moments.ts'
import { act, badge, icon, name, type Icon, type Look } from './parts.ts'
import type { Showing, View } from './view.ts'

/** The schedule of a task as it is read. */
interface Schedule extends ScheduleState {
  timezone: string
  next: readonly UpcomingFire[]
  last: readonly Slot[]
}

/** What a day shows of a fire. */
interface Fire {
  at: number
  tone: Look['tone'] | 'coming'
  sign: Icon
  /** What happened, or will. */
  words: string
}

const dayMs = 86_400_000
const daysBefore = 2
const days = 7
const shownADay = 8

/** The days around today with what a schedule did and will do. */
export const weekView: View<Schedule> = {
  name: 'week',
  title: 'The schedule of the week',
  description:
    'When a task fires and did in the days around today, and why not; a fire can be skipped.',
  show(schedule, at) {
    const { char_id: agent, task_id: task } = at.input
    const week = weekOf(schedule, at)
    return html`<header class="head">
        <div>
          <p class="over">Schedule${typeof agent === 'string' && html` · ${name(agent)}`}</p>
          <h1>${typeof task === 'string' ? name(task) : 'The week'}</h1>
        </div>
        ${badge(looks[schedule.state])}
      </header>
      <p class="lead">${withHiddenShown(schedule.message.slice(0, 600))}</p>
      <ol class="week">
        ${week.map(({ day, isToday, fires }) => dayOf(day, isToday, fires, at))}
      </ol>
      ${outlookOf(schedule, at)} ${actsOf(schedule, at)}`
  },
  again: (_, { input }) => ({
    operation: 'tasks.schedule',
    input: { char_id: input['char_id'], task_id: input['task_id'] },
  }),
  rereading: () => 'on_request',
}

const looks: Readonly<Record<Schedule['state'], Look>> = {
  scheduled: { word: 'On schedule', tone: 'good', icon: 'check' },
  paused: { word: 'Paused', tone: 'wait', icon: 'hand' },
  disabled: { word: 'Switched off', tone: 'calm', icon: 'slash' },
  no_schedule: { word: 'No schedule', tone: 'calm', icon: 'slash' },
  autonomy_manual: { word: 'On request only', tone: 'calm', icon: 'hand' },
  outside_window: { word: 'Outside its hours', tone: 'calm', icon: 'clock' },
  overdue: { word: 'Overdue', tone: 'bad', icon: 'clock' },
}

function firesOf({ next, last }: Schedule): Fire[] {
  const past = last.map(({ at, status, message, count: many }): Fire => {
    const words = many > 1 ? `${message} (${count(many, 'fire')})` : message
    return status === 'fired'
      ? { at: Date.parse(at), tone: 'good', sign: 'check', words }
      : { at: Date.parse(at), tone: 'calm', sign: 'skip', words }
  })
  const coming = next.map(({ fires_at, comes, message }): Fire => ({
    at: Date.parse(fires_at),
    tone: comes ? 'coming' : 'calm',
    sign: comes ? 'clock' : 'skip',
    words: message ?? (comes ? 'It comes.' : 'It does not come.'),
  }))
  return [...past, ...coming].toSorted((a, b) => a.at - b.at)
}

/** A day in the reader's zone. */
interface Day {
  day: string
  isToday: boolean
  fires: readonly Fire[]
}

/** The days by their names: a day is 23 to 25 hours long, and noon is always in it. */
function weekOf(schedule: Schedule, { now, zone }: Showing): Day[] {
  const byDay = Map.groupBy(firesOf(schedule), ({ at }) => inZone(at, 'day', zone))
  const noon = now - (hourOf(now, zone) - 12) * 3_600_000
  return Array.from({ length: days }, (_, i) => {
    const day = inZone(noon + (i - daysBefore) * dayMs, 'day', zone)
    return { day, isToday: i === daysBefore, fires: byDay.get(day) ?? [] }
  })
}

function hourOf(at: number, zone: string): number {
  return Number(inZone(at, 'clock', zone).slice(0, 2))
}

function dayOf(day: string, isToday: boolean, fires: readonly Fire[], at: Showing): Html {
  const left = fires.length - shownADay
  return html`<li class="${isToday ? 'day today' : 'day'}">
    <h2>${day}${isToday && html`<span class="word">, today</span>`}</h2>
    ${
      fires.length === 0
        ? html`<p class="soft none">–<span class="word"> nothing</span></p>`
        : html`<ul>
            ${fires.slice(0, shownADay).map((fire) => fireOf(fire, at))}
          </ul>`
    }
    ${left > 0 && html`<p class="soft">and ${count(left, 'more', 'more')}</p>`}
  </li>`
}

function fireOf({ at: when, tone, sign, words }: Fire, { zone }: Showing): Html {
  const said = withHiddenShown(words.slice(0, 300))
  return html`<li class="fire ${tone}" title="${said}">
    ${icon(sign)}<time datetime="${new Date(when).toISOString()}"
      >${inZone(when, 'clock', zone)}</time
    ><span class="word">: ${said}</span>
  </li>`
}

/** The next one, wherever it lies, and by which clocks it comes. */
function outlookOf({ next, timezone }: Schedule, { zone }: Showing): Html | undefined {
  const first = next.find(({ comes }) => comes)
  if (!first) return undefined
  return html`<p class="soft">
    Next: ${inZone(first.fires_at, 'day', zone)}, ${inZone(first.fires_at, 'clock', zone)}
    (${name(zone)})${timezone !== zone && html`. Its pattern is read in ${name(timezone)}`}.
  </p>`
}

function actsOf({ state, next }: Schedule, { input }: Showing): Html | undefined {
  const [char_id, task_id] = [input['char_id'], input['task_id']].map((id) =>
    typeof id === 'string' ? id.slice(0, 128) : undefined,
  )
  if (char_id === undefined || task_id === undefined) return undefined
  const of = {
    input: { char_id, task_id },
    shows: 'again',
    about: `The task ${withHiddenShown(task_id.slice(0, 80))}`,
  } as const
  const isPaused = state === 'paused'
  return html`<div class="buttons">
    ${act({ ...of, operation: 'tasks.run', buttons: [{ label: 'Run it now', kind: 'main' }] })}
    ${
      next.some(({ comes }) => comes) &&
      act({ ...of, operation: 'tasks.skip_next', buttons: [{ label: 'Skip the next' }] })
    }
    ${
      isPaused
        ? act({ ...of, operation: 'tasks.resume', buttons: [{ label: 'Resume' }] })
        : act({ ...of, operation: 'tasks.pause', buttons: [{ label: 'Pause' }] })
    }
  </div>`
}
