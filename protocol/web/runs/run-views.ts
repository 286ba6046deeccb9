import type { runOperations } from '#src/catalog/run-pages.ts'
import { html, type Html, type Part } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { RunEventRecord } from '#src/runs/events.ts'
import { hasEnded, type Run } from '#src/runs/run.ts'
import { costWords } from '#src/views/cost-words.ts'
import { lasted, timeOf } from '#src/views/moments.ts'
import { badge, facts, icon, leftOut, literal, name } from '#src/views/parts.ts'
import { cancelOf, chainList, detailOf, isOpen, taskName, titleOf } from '#src/views/run-parts.ts'
import { looks, reasonWords, tokensOf, triggers } from '#src/views/run-words.ts'
import type { Showing } from '#src/views/view.ts'
import type { AnswerOf } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import { live, livePart, readEvery, nextPage, part } from '../console/parts.ts'
import type { Names } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import { showingOf } from '../console/view-frame.ts'
import { problemOfAll } from '../fields.ts'
import { onceField } from '../once.ts'
import { againOf, type AgainForm } from './again.ts'
import { eventWords, joined } from './event-words.ts'
import { askedIn, sawOf } from './said.ts'

/** What the page of a run shows. */
export interface WholeRun {
  run: Run
  /** One page of the runs that belong together, with the run itself and the first of all. */
  chain: readonly Run[]
  /** Where the rest of them is. */
  olderRuns: string | null
  /** One page of what happened, newest first. */
  events: AnswerOf<typeof runOperations.events>
  /** What happened first, where that is on another page. */
  beginning: readonly RunEventRecord[]
  names: Names
  /** What the path asks for. */
  query: Readonly<Record<string, string>>
}

/** How often the page of a run is read again while it works, since only its ends are events of the account. */
const workingSeconds = 5

/** The page of a run. */
export function runPage(
  looking: Looking,
  whole: WholeRun,
  form: AgainForm = {},
  status = 200,
): ConsoleView {
  const { paths } = looking.terms
  const { run, names, query } = whole
  const at = showingOf(looking, { names, input: { run_id: run.id } })
  const here = paths.run(run.id, query)
  const { '': ofPage, ...ofForm } = form.problems ?? {}
  const body = html`${headOf(looking, whole, at)}
    <div class="panes">
      <div>
        ${detailOf(run, at)} ${artifactsOf(run)} ${chainOf(looking, whole, at)}
        ${historyOf(looking, whole, at)}
      </div>
      <div>${aboutOf(looking, run, at)} ${givenOf(run)} ${sawBy(looking, whole)}</div>
    </div>`
  const main = html`${ofPage !== undefined && problemOfAll({ '': ofPage })}
  ${live(
    paths.events,
    here,
    livePart('run', html`${body} ${run.status === 'running' && readEvery(workingSeconds, here)}`),
  )}
  ${hasEnded(run) && run.task_id !== null && againOf(run, { ...form, problems: ofForm })}`
  const called = names.known(run.char_id) ?? run.char_id
  const title = `Run of ${withHiddenShown(called.slice(0, 80))}`
  return { status, title, heading: null, main, place: 'runs' }
}

function headOf({ terms: { paths } }: Looking, { run, chain }: WholeRun, at: Showing): Html {
  const parent = chain.find(({ id }) => id === run.parent_run_id)
  const begun = Date.parse(run.started_at ?? run.created_at)
  const end = run.finished_at === null ? at.now : Date.parse(run.finished_at)
  const waited = begun - Date.parse(run.created_at)
  return html`<header class="head">
      <div>
        <p class="over">
          <a href="${paths.runs()}">Runs</a>${
            parent && html` › <a href="${paths.run(parent.id)}">${titleOf(parent, at)}</a>`
          }
        </p>
        <h1>${titleOf(run, at)}</h1>
      </div>
      ${badge(looks[run.status])}
    </header>
    ${facts([
      ['Asked for', timeOf(run.created_at, at)],
      ['Waited', waited > 0 && run.started_at !== null && lasted(waited)],
      ['Took', run.started_at && `${lasted(end - begun)}${isOpen(run) ? ' so far' : ''}`],
      ['Why', run.reason !== null && reasonWords(run.reason)],
      ['Begins', run.not_before && isOpen(run) && timeOf(run.not_before, at)],
      ['Model', run.model && name(run.model)],
      ['Tokens', tokensOf([run])],
      ['Cost', costWords(run.usage)],
      ['Tokens of the chain', chain.length > 1 && tokensOf(chain)],
    ])}
    ${actionsOf(run, at)}`
}

function actionsOf(run: Run, at: Showing): Html | undefined {
  if (isOpen(run)) return html`<div class="buttons acts">${cancelOf(run, at)}</div>`
  if (run.task_id === null) return undefined
  const isFailed = run.status === 'failed' || run.status === 'timed_out'
  return html`<div class="buttons acts">
    <form method="post">
      ${onceField(at.once)}
      <button class="${isFailed ? 'main' : 'quiet'}" name="action" value="retry">
        ${isFailed ? 'Retry it' : 'Run it again'}
      </button>
    </form>
    <a class="button" href="#again">Run it with changes…</a>
  </div>`
}

const artifactsShown = 12

function artifactsOf({ artifacts }: Run): Html | undefined {
  if (artifacts.length === 0) return undefined
  return part(
    'Files',
    'files',
    html`<ul class="lines">
        ${artifacts.slice(0, artifactsShown).map(
          (file, index) =>
            html`<li>
              <details class="line-of" id="file-${index}">
                <summary>
                  ${name(file.name)}
                  <span class="soft">${file.media_type && name(file.media_type)}</span>
                </summary>
                ${file.url != null && html`<p>${name(file.url, 400)}</p>`}
                ${file.content != null && literal(file.content, 'The file')}
              </details>
            </li>`,
        )}
      </ul>
      ${leftOut(artifacts.length - artifactsShown, 'file')}`,
  )
}

function chainOf({ terms: { paths } }: Looking, whole: WholeRun, at: Showing): Html | undefined {
  const { run, chain, olderRuns, query } = whole
  if (chain.length === 1) return undefined
  const older =
    olderRuns === null ? undefined : `${paths.run(run.id, { ...query, chain: olderRuns })}#chain`
  return part(
    `${olderRuns === null && query['chain'] === undefined ? '' : 'Some of '}its chain`.replace(
      /^i/,
      'I',
    ),
    'chain',
    html`${chainList(chain, run, at)} ${nextPage(older, 'Earlier runs of the chain')}`,
  )
}

function historyOf({ terms: { paths } }: Looking, whole: WholeRun, at: Showing): Html {
  const { run, events, query } = whole
  const { next_cursor: next } = events
  const older =
    next === null ? undefined : `${paths.run(run.id, { ...query, events: next })}#events`
  return part(
    'What happened, latest first',
    'events',
    html`<ol class="lines events">
        ${joined(events.items).map((event) => eventOf(paths.run.bind(paths), run, event, at))}
      </ol>
      ${nextPage(older, 'Earlier')}`,
  )
}

function eventOf(
  pageOf: (id: string) => string,
  run: Run,
  event: RunEventRecord,
  at: Showing,
): Html {
  const { words, tone, icon: sign, detail, runId } = eventWords(event)
  const after = Date.parse(event.at) - Date.parse(run.created_at)
  const since = html`<time datetime="${event.at}" title="${event.at}"
    >${after > 0 ? `after ${lasted(after)}` : timeOf(event.at, at)}</time
  >`
  const head: Part = html`<span class="${tone}">${icon(sign)}</span
    ><span class="about">${words}${runId && html` <a href="${pageOf(runId)}">Its run</a>`}</span
    >${since}`
  const isDetailed = detail !== undefined && detail.value !== ''
  return html`<li>
    ${
      isDetailed
        ? html`<details id="e-${event.seq}">
            <summary class="line-of">${head}</summary>
            <div class="more">${literal(readable(detail.value), detail.label)}</div>
          </details>`
        : html`<div class="line-of">${head}</div>`
    }
  </li>`
}

/** What is JSON in a text is shown as JSON. */
function readable(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function aboutOf({ terms: { paths } }: Looking, run: Run, at: Showing): Html {
  const { char_id, task_id, app_id, approval_id, retry_of, resumed_from, trigger, degraded } = run
  const runLink = (id: string): Html => html`<a href="${paths.run(id)}">the run before</a>`
  return part(
    'About it',
    'about',
    html`<div class="card">
      ${facts([
        [
          'Agent',
          html`<a href="${paths.agent(char_id)}">${name(at.agent?.(char_id) ?? char_id)}</a>`,
        ],
        [
          'Task',
          task_id === null
            ? 'a part of the profile'
            : html`<a href="${paths.agent(char_id, ['tasks', task_id])}">${taskName(run, at)}</a>`,
        ],
        ['Team', app_id !== null && html`<a href="${paths.team(app_id)}">${name(app_id)}</a>`],
        ['Set off by', triggers.get(trigger.type) ?? name(trigger.type)],
        ['Attempt', run.attempt > 1 && run.attempt],
        [
          'Approval',
          approval_id !== null && html`<a href="${paths.approval(approval_id)}">What was asked</a>`,
        ],
        ['Does again', retry_of !== undefined && runLink(retry_of)],
        ['Goes on for', resumed_from !== null && runLink(resumed_from)],
        ['Did without', degraded && name(degraded.join(', '), 300)],
        ['Id', html`<code>${run.id}</code>`],
      ])}
    </div>`,
  )
}

function givenOf({ input, edited_by }: Run): Html | undefined {
  if (input === null || input === undefined || input === '') return undefined
  return part(
    'What it was given',
    'given',
    html`<div class="card">
      ${edited_by && html`<p class="soft">The input was changed as it was approved.</p>`}
      ${literal(input, 'The input')}
    </div>`,
  )
}

function sawBy(
  { terms: { paths } }: Looking,
  { run, events, beginning }: WholeRun,
): Html | undefined {
  const asked = askedIn([...beginning, ...events.items])
  return asked && sawOf(asked, paths.agent(run.char_id, ['knowledge']))
}
