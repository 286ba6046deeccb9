import { runOperations } from '#src/catalog/run-pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Run } from '#src/runs/run.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import { acted } from '../console/acts.ts'
import type { ConsoleView } from '../console/frame.ts'
import { namesOfWork } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { problemsOf, waitOf } from '../fields.ts'
import { onceIn } from '../once.ts'
import { againIn, changedIn, formBytesAtMost, type AgainForm } from './again.ts'
import { runPage, type WholeRun } from './run-views.ts'

const atOnce = 50

/** A run: what it did, saw and gave, with all that belongs to it; to cancel, or to do again. */
export function runScreen(terms: Terms, id: string): ConsoleScreen {
  const here = terms.paths.run(id)
  const refused = async (looking: Looking, refusal: Refusal, form: AgainForm = {}) => {
    if (isSignedOut(refusal)) throw refusal
    const problems = problemsOf(refusal, {})
    const whole = await wholeOf(looking, id, new URLSearchParams())
    return { ...runPage(looking, whole, { ...form, problems }, refusal.status), ...waitOf(refusal) }
  }

  return {
    here,
    formBytesAtMost,
    async show(query, looking, typed) {
      const whole = await wholeOf(looking, id, query)
      return runPage(looking, whole, typed?.has('input') ? againIn(typed) : {})
    },
    async submit(form, looking) {
      const cancelled = await acted(looking, form, [runOperations.cancel])
      if (cancelled) return cancelled.refusal ? refused(looking, cancelled.refusal) : { goTo: here }
      const action = form.get('action')
      if (action !== 'retry' && action !== 'again') return { goTo: here }
      const sent = action === 'again' ? againIn(form) : {}
      const changed = changedIn(sent, await runOf(looking, id))
      if ('problem' in changed) return withProblem(looking, id, sent, changed.problem)
      const as = { ...looking.as, idempotencyKey: onceIn(form) }
      const answer = await told(terms, runOperations.retry, { run_id: id, ...changed }, as)
      if (answer.refusal) return refused(looking, answer.refusal, sent)
      return { goTo: terms.paths.run(answer.value.id) }
    },
  }
}

async function withProblem(
  looking: Looking,
  id: string,
  sent: AgainForm,
  problem: string,
): Promise<ConsoleView> {
  const whole = await wholeOf(looking, id, new URLSearchParams())
  return runPage(
    looking,
    whole,
    { ...sent, problems: { input: `${problem} Nothing was run.` } },
    422,
  )
}

function runOf({ terms, as }: Looking, run_id: string): Promise<Run> {
  return answered(terms, runOperations.get, { run_id }, as)
}

async function wholeOf(looking: Looking, id: string, query: URLSearchParams): Promise<WholeRun> {
  const { terms, as } = looking
  const run = await runOf(looking, id)
  const of = (list: string) => {
    const cursor = query.get(list)
    return { limit: atOnce, ...(cursor !== null && { cursor }) }
  }
  const inChain = { root_run_id: run.root_run_id, ...of('chain') }
  const latest = { run_id: id, newest_first: true, ...of('events') }
  const [runs, events] = await Promise.all([
    answered(terms, runOperations.list, inChain, as),
    answered(terms, runOperations.events, latest, as),
  ])
  const isAll = events.next_cursor === null && !query.has('events')
  const [chain, beginning] = await Promise.all([
    withOwn(looking, run, runs.items),
    isAll ? [] : answered(terms, runOperations.events, { run_id: id, limit: 20 }, as),
  ])
  const names = await namesOfWork(looking, chain)
  return {
    run,
    chain,
    olderRuns: runs.next_cursor,
    events,
    beginning: 'items' in beginning ? beginning.items : [],
    names,
    query: Object.fromEntries(query),
  }
}

/** A page of the chain with the run itself, what started it and the first of all, unless they are gone. */
async function withOwn(looking: Looking, run: Run, page: readonly Run[]): Promise<Run[]> {
  const known = new Map([...page, run].map((one) => [one.id, one]))
  const above = [run.root_run_id, run.parent_run_id].filter((id) => id !== null && !known.has(id))
  for (const id of new Set(above)) {
    const { terms, as } = looking
    const answer = await told(terms, runOperations.get, { run_id: String(id) }, as)
    if (!answer.refusal) known.set(answer.value.id, answer.value)
  }
  return [...known.values()]
}
