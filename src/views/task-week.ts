import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { UpcomingFire } from '#src/runs/schedules/outlook.ts'
import type { Slot } from '#src/runs/schedules/slot.ts'
import type { ScheduleState } from '#src/runs/schedules/state.ts'
import { inZone } from './moments.ts'
import { act, agentName, back, badge, name, type Look } from './parts.ts'
import type { Showing } from './view.ts'
import { dayMs } from './dates.ts'
import { daysFrom, weekOf, type Fire } from './week-days.ts'

/** The schedule of a task as it is read. */
export interface Schedule extends ScheduleState {
  next: readonly UpcomingFire[]
  last: readonly Slot[]
}

const daysBefore = 2
const days = 7

/** The days around today with what the schedule of one task did and will do. */
export function taskWeek(schedule: Schedule, at: Showing): Html {
  const { char_id: agent, task_id: task } = at.input
  return html`${back(at)}
    <header class="head">
      <div>
        <p class="over">
          Schedule${typeof agent === 'string' && html` · ${agentName(agent, null, at)}`}
        </p>
        <h1>${typeof task === 'string' ? name(task) : 'The week'}</h1>
      </div>
      ${badge(looks[schedule.state])}
    </header>
    <p class="lead">${withHiddenShown(schedule.message.slice(0, 600))}</p>
    ${daysOfTask(schedule, at)} ${actsOf(schedule, at)}`
}

/** The days alone, with the next fire, wherever it lies. */
export function daysOfTask(schedule: Schedule, at: Showing): Html {
  const week = daysFrom(at.now - daysBefore * dayMs, days, firesOf(schedule), at)
  return html`${weekOf(week, at)} ${outlookOf(schedule, at)}`
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
  return [...past, ...coming]
}

/** The next one, wherever it lies, and by which clocks it comes. */
function outlookOf({ next }: Schedule, { zone }: Showing): Html | undefined {
  const first = next.find(({ comes }) => comes)
  if (!first) return undefined
  const { timezone } = first
  return html`<p class="soft">
    Next: ${inZone(first.fires_at, 'day', zone)}, ${inZone(first.fires_at, 'clock', zone)}
    (${name(zone)})${timezone !== zone && html`. Its pattern is read in ${name(timezone)}`}.
  </p>`
}

function actsOf({ state, next }: Schedule, at: Showing): Html | undefined {
  const [char_id, task_id] = [at.input['char_id'], at.input['task_id']].map((id) =>
    typeof id === 'string' ? id.slice(0, 128) : undefined,
  )
  if (char_id === undefined || task_id === undefined) return undefined
  const of = {
    input: { char_id, task_id },
    shows: 'again',
    about: `The task ${withHiddenShown(task_id.slice(0, 80))}`,
  } as const
  const isPaused = state === 'paused'
  return html`<div class="buttons" id="week-acts">
    ${act({ ...of, operation: 'tasks.run', buttons: [{ label: 'Run it now', kind: 'main' }] }, at)}
    ${
      next.some(({ comes }) => comes) &&
      act({ ...of, operation: 'tasks.skip_next', buttons: [{ label: 'Skip the next' }] }, at)
    }
    ${
      isPaused
        ? act({ ...of, operation: 'tasks.resume', buttons: [{ label: 'Resume' }] }, at)
        : act({ ...of, operation: 'tasks.pause', buttons: [{ label: 'Pause' }] }, at)
    }
  </div>`
}
