import { agentOperations } from '#src/catalog/agent-pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Leave } from '#src/core/html/view.ts'
import { answered, told, type Terms } from '../ask.ts'
import { problemsOf, waitOf } from '../fields.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import type { Looking } from '../console/reader.ts'
import { agentOf, agentView } from './frame.ts'
import { onceIn } from '../once.ts'
import { fieldsOf } from './run-fields.ts'
import type { RunForm } from './run-form.ts'
import { givenIn } from './run-input.ts'
import { taskView, type WholeTask } from './task-views.ts'

const runsShown = 10
/** For an input of 10,000 characters and some fields, each character of which may take 9 bytes. */
const formBytesAtMost = 131_072

/** Where a task is. */
interface Place {
  char_id: string
  task_id: string
}

/** A task: what it does, when it comes, how it went, and the form by which a person runs it. */
export function taskScreen(terms: Terms, id: string, taskId: string): ConsoleScreen {
  const place = { char_id: id, task_id: taskId }
  const here = terms.paths.agent(id, ['tasks', taskId])
  return {
    here,
    formBytesAtMost,
    show: (query, looking, typed) =>
      shown(looking, place, { typed, done: query.get('done') ?? undefined }),
    async submit(form, looking) {
      const action = form.get('action') ?? ''
      if (action === 'run') return run(looking, place, form)
      const change = changes.get(action)
      if (!change) return { goTo: here }
      await change(looking, place, form)
      return { goTo: terms.paths.agent(id, ['tasks', taskId], { done: action }) }
    },
  }
}

async function shown(
  looking: Looking,
  place: Place,
  form: RunForm & { done?: string | undefined },
  refusal?: Refusal,
): Promise<ConsoleView> {
  const [agent, whole] = await Promise.all([
    agentOf(looking, place.char_id),
    wholeOf(looking, place),
  ])
  const main = taskView(looking, whole, form)
  const status = refusal?.status ?? (form.problems ? 422 : 200)
  const view = { part: 'tasks', about: 'A task', main, status } as const
  return agentView(looking, agent, { ...view, ...(refusal && waitOf(refusal)) })
}

async function wholeOf({ terms, as }: Looking, place: Place): Promise<WholeTask> {
  const { tasks, runs } = agentOperations
  const few = { ...place, limit: runsShown }
  const [task, schedule, newest] = await Promise.all([
    answered(terms, tasks.get, place, as),
    answered(terms, tasks.schedule, place, as),
    answered(terms, runs.list, few, as),
  ])
  return { task, schedule, runs: newest.items }
}

/** Runs the task, and leads to its run. */
async function run(
  looking: Looking,
  place: Place,
  form: URLSearchParams,
): Promise<ConsoleView | Leave> {
  const { terms, as } = looking
  const { tasks } = agentOperations
  const task = await answered(terms, tasks.get, place, as)
  const filled = givenIn(form, fieldsOf(task))
  if (filled.problems) return shown(looking, place, { typed: form, problems: filled.problems })
  const once = { ...as, idempotencyKey: onceIn(form) }
  const answer = await told(terms, tasks.run, { ...place, ...filled.given }, once)
  if (answer.refusal === undefined) return { goTo: terms.paths.run(answer.value.id) }
  const { refusal } = answer
  if (refusal.status === 404 || refusal.status === 401) throw refusal
  return shown(looking, place, { typed: form, problems: problemsOf(refusal, {}) }, refusal)
}

type Change = (looking: Looking, place: Place, form: URLSearchParams) => Promise<unknown>

const { pause, resume, skipNext } = agentOperations.tasks

const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  [
    'pause',
    ({ terms, as }, place, form) => {
      const reason = (form.get('reason') ?? '').trim().slice(0, 500)
      return answered(terms, pause, { ...place, ...(reason !== '' && { reason }) }, as)
    },
  ],
  [
    'resume',
    ({ terms, as }, place, form) => {
      const held = form.get('held') === 'drop' ? 'drop' : 'run'
      return answered(terms, resume, { ...place, held }, as)
    },
  ],
  ['skip', ({ terms, as }, place) => answered(terms, skipNext, place, as)],
])
