import { scheduleOperations } from '#src/catalog/schedule-pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Leave } from '#src/core/html/view.ts'
import { beginOfDay, dayMs } from '#src/views/dates.ts'
import { answered, isSignedOut, told, type Told, type Terms } from '../ask.ts'
import { agentChoices, teamChoices } from '../console/choices.ts'
import type { ConsoleView } from '../console/frame.ts'
import { namesOfWork } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { sayingOf, waitOf } from '../fields.ts'
import { onceIn } from '../once.ts'
import { scheduleView, type Said } from './views.ts'

const daysBefore = 2
const days = 7
const entriesAtMost = 500

/** The week of the account, of a team or of an agent: what was started and skipped, and what is to come. */
export function scheduleScreen(terms: Terms): ConsoleScreen {
  return {
    here: terms.paths.schedule(),
    show: (query, looking) => shown(looking, query, { done: query.get('done') ?? undefined }),
    async submit(form, looking) {
      const query = shownIn(form)
      const leave = terms.paths.schedule(Object.fromEntries(query))
      const change = changes.get(form.get('action') ?? '')
      if (!change) return { goTo: leave }
      const char_id = form.get('agent') ?? ''
      const task_id = form.get('task') ?? ''
      const answer = await change(looking, { char_id, task_id }, form)
      return 'goTo' in answer ? answer : refused(looking, query, answer.refusal)
    },
  }
}

async function refused(looking: Looking, query: URLSearchParams, refusal: Refusal) {
  if (isSignedOut(refusal)) throw refusal
  const view = await shown(looking, query, { problem: sayingOf(refusal) })
  return { ...view, status: refusal.status, ...waitOf(refusal) }
}

const asked = ['from', 'to', 'char_id', 'app_id', 'cursor'] as const

/** What of a form says which days it was sent from. */
function shownIn(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    asked.flatMap((name) => {
      const value = form.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

async function shown(looking: Looking, query: URLSearchParams, said: Said): Promise<ConsoleView> {
  const { terms, as } = looking
  const input = inputOf(query, looking)
  const whole = { ...input, limit: entriesAtMost }
  const [calendar, agents, teams] = await Promise.all([
    answered(terms, scheduleOperations.calendar, whole, as),
    agentChoices(looking),
    teamChoices(looking),
  ])
  const names = await namesOfWork(looking, calendar.items)
  return scheduleView(looking, {
    input,
    query: Object.fromEntries(shownIn(query)),
    calendar,
    names,
    choices: { agents, teams },
    said,
  })
}

/** The days around today, if no others are asked for. */
function inputOf(query: URLSearchParams, { at }: Looking) {
  const begin = beginOfDay(at.now - daysBefore * dayMs, at.zone)
  const end = beginOfDay(begin + (days + 0.5) * dayMs, at.zone)
  const sent: Partial<Record<(typeof asked)[number], string>> = Object.fromEntries(shownIn(query))
  const { from, ...others } = sent
  return { from: from ?? iso(begin), ...(from === undefined && { to: iso(end) }), ...others }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

/** Where a task is. */
interface Place {
  char_id: string
  task_id: string
}

type Changed = Leave | { refusal: Refusal }
type Change = (looking: Looking, place: Place, form: URLSearchParams) => Promise<Changed>

const { run, pause, resume, skipNext } = scheduleOperations.tasks

const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  [
    'run',
    async (looking, place, form) => {
      const { terms, as } = looking
      const answer = await told(terms, run, place, { ...as, idempotencyKey: onceIn(form) })
      if (answer.refusal) return { refusal: answer.refusal }
      return { goTo: terms.paths.run(answer.value.id) }
    },
  ],
  [
    'skip',
    async (looking, place, form) => {
      const as = { ...looking.as, idempotencyKey: onceIn(form) }
      return back(looking, form, await told(looking.terms, skipNext, place, as))
    },
  ],
  [
    'pause',
    async (looking, place, form) =>
      back(looking, form, await told(looking.terms, pause, place, looking.as)),
  ],
  [
    'resume',
    async (looking, place, form) =>
      back(looking, form, await told(looking.terms, resume, place, looking.as)),
  ],
])

/** To the days that were looked at. */
function back({ terms }: Looking, form: URLSearchParams, answer: Told<unknown>): Changed {
  if (answer.refusal) return { refusal: answer.refusal }
  const done = form.get('action') ?? ''
  return { goTo: terms.paths.schedule({ ...Object.fromEntries(shownIn(form)), done }) }
}
