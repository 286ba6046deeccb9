import type { scheduleOperations } from '#src/catalog/schedule-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { CalendarEntry } from '#src/runs/calendar/entry.ts'
import { timeOf } from '#src/views/moments.ts'
import { agentName, leftOut, name } from '#src/views/parts.ts'
import { taskName } from '#src/views/run-parts.ts'
import type { Showing } from '#src/views/view.ts'
import { weekView } from '#src/views/week.ts'
import type { AnswerOf } from '../ask.ts'
import { choiceOf, type Choices } from '../console/choices.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Names } from '../console/names.ts'
import { lines, live, livePart, part, type Line } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { showingOf } from '../console/view-frame.ts'
import { problemOfAll } from '../fields.ts'
import { onceField } from '../once.ts'
import { schedulesIn, type Scheduled } from './tasks.ts'

/** What was done, or why not. */
export interface Said {
  done?: string | undefined
  problem?: string
}

/** What the page of schedules shows. */
export interface ShownSchedule {
  /** What the calendar was asked for. */
  input: Readonly<Record<string, string>>
  /** What the address asks for. */
  query: Readonly<Record<string, string>>
  calendar: AnswerOf<typeof scheduleOperations.calendar>
  names: Names
  choices: { agents: Choices; teams: Choices }
  said: Said
}

/** The page of schedules. */
export function scheduleView(looking: Looking, shown: ShownSchedule): ConsoleView {
  const { paths } = looking.terms
  const { input, query, calendar, names, said } = shown
  const at = showingOf(looking, { input, names })
  const here = paths.schedule(query)
  const body = html`${weekView.show(calendar, at)}
    <div class="panes">
      ${tasksOf(looking, shown, at)} ${missedOf(looking, calendar.items, at)}
    </div>`
  const main = html`${doneOf(said)} ${filterForm(looking, shown)}
  ${live(paths.events, here, livePart('week', body))}`
  return { title: 'Schedule', heading: null, main, place: 'schedule' }
}

const doneWords: ReadonlyMap<string, string> = new Map([
  ['pause', 'It is paused: no trigger starts it until it is resumed.'],
  ['resume', 'It goes on.'],
  ['skip', 'The next fire is skipped.'],
])

function doneOf({ done = '', problem }: Said): Html | undefined {
  if (problem !== undefined) return problemOfAll({ '': problem })
  const words = doneWords.get(done)
  return words === undefined ? undefined : html`<p class="done" role="status">${words}</p>`
}

function filterForm({ terms: { paths } }: Looking, { query, choices }: ShownSchedule): Html {
  const { agents, teams } = choices
  const { from, to, char_id, app_id } = query
  const isNarrowed = char_id !== undefined || app_id !== undefined
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  return html`<form class="tools" method="get" action="${paths.schedule()}" aria-label="Whose">
    ${Object.entries(span).map(
      ([member, value]) => html`<input type="hidden" name="${member}" value="${value}" />`,
    )}
    ${choiceOf('char_id', 'Agent', agents, char_id)}
    ${teams?.length !== 0 && choiceOf('app_id', 'Team', teams, app_id)}
    <button>Show</button>
    ${isNarrowed && html`<a class="button" href="${paths.schedule(span)}">Show all</a>`}
  </form>`
}

const tasksShown = 20

/** The tasks that fire in these days, each with what can be done about it at once. */
function tasksOf(looking: Looking, { calendar, query }: ShownSchedule, at: Showing): Html {
  const all = schedulesIn(calendar.items)
  const shown = all.slice(0, tasksShown)
  return part(
    'Their tasks',
    'tasks',
    html`<ul class="lines">
        ${shown.map((one) => html`<li class="line-of">${taskLine(looking, one, query, at)}</li>`)}
      </ul>
      ${all.length === 0 && html`<p class="soft">No task fires in these days.</p>`}
      ${leftOut(all.length - shown.length, 'task')}`,
  )
}

function taskLine(
  { terms: { paths } }: Looking,
  one: Scheduled,
  query: ShownSchedule['query'],
  at: Showing,
): Html {
  const { char_id, task_id, next, stands } = one
  const path = ['tasks', task_id]
  return html`<div class="about">
      <a href="${paths.agent(char_id, path)}"
        ><strong>${agentName(char_id, null, at)} · ${taskName({ char_id, task_id }, at)}</strong></a
      ><br /><span class="soft"
        >${
          next === undefined
            ? (stands ?? 'Nothing more to come in these days.')
            : html`Next ${timeOf(next.fires_at, at)}`
        }</span
      >
    </div>
    <form method="post" class="buttons">
      ${onceField(at.once)}
      ${Object.entries(query).map(
        ([member, value]) => html`<input type="hidden" name="${member}" value="${value}" />`,
      )}
      <input type="hidden" name="agent" value="${char_id}" />
      <input type="hidden" name="task" value="${task_id}" />
      <button class="quiet" name="action" value="run">Run now</button>
      ${next && html`<button class="quiet" name="action" value="skip">Skip the next</button>`}
      ${
        one.isOff
          ? html`<button class="main" name="action" value="resume">Resume</button>`
          : html`<button class="quiet" name="action" value="pause">Pause</button>`
      }
      <a class="button quiet" href="${paths.agent(char_id, [...path, 'edit'])}">Move…</a>
    </form>`
}

const missedShown = 30

/** Why what was to come did not, or will not. */
function missedOf(
  { terms: { paths } }: Looking,
  items: readonly CalendarEntry[],
  at: Showing,
): Html {
  const all = items.filter(({ status }) => status === 'skipped' || status === 'not_coming')
  const shown = all.slice(0, missedShown).map((one): Line => {
    const { char_id, task_id, name: called, message, count: many, fires_at } = one
    return {
      href: called === null ? undefined : paths.agent(char_id, ['tasks', task_id]),
      name: html`${agentName(char_id, null, at)} · ${name(called ?? task_id)}`,
      about: html`${withHiddenShown((message ?? 'No reason is known.').slice(0, 300))}${
        many > 1 && ` (${count(many, 'fire')})`
      }`,
      end: timeOf(fires_at, at),
    }
  })
  return part(
    'Why not',
    'missed',
    html`${lines(shown, 'Everything came, or is to come.')}
    ${leftOut(all.length - shown.length, 'fire')}`,
  )
}
