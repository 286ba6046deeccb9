import { html, type Html, type Part } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { Run } from '#src/runs/run.ts'
import { failureWords } from '#src/views/failure-words.ts'
import { lasted, timeOf } from '#src/views/moments.ts'
import { badge, name } from '#src/views/parts.ts'
import { titleOf } from '#src/views/run-parts.ts'
import { looks, reasonWords, triggers } from '#src/views/run-words.ts'
import type { Showing } from '#src/views/view.ts'
import { choiceOf, type Choices } from '../console/choices.ts'
import type { ConsoleView } from '../console/frame.ts'
import { empty, lineOf, live, livePart, nextPage, tabs, type Line } from '../console/parts.ts'
import type { Names } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import { showingOf } from '../console/view-frame.ts'
import { choice, field, problemOfAll, type Problems } from '../fields.ts'
import { onceField } from '../once.ts'
import { queryOf, standings, type RunFilter } from './filter.ts'
import { grouped, type Entry } from './groups.ts'

/** A retry of all that failed: what it would do, or what it did. */
export type RetryAll =
  | { matched: number }
  | { done: number; left: number; after: string | undefined }

/** What the page of runs shows. */
export interface ListedRuns {
  filter: RunFilter
  runs: readonly Run[]
  /** Where the older ones are. */
  next: string | null
  isFirst: boolean
  names: Names
  choices: { agents: Choices; teams: Choices; tasks: Choices | undefined }
  retry: RetryAll | undefined
  problems: Problems
}

/** The page of runs. */
export function listView(looking: Looking, listed: ListedRuns): ConsoleView {
  const { paths } = looking.terms
  const { filter, next, isFirst } = listed
  const at = showingOf(looking, { names: listed.names })
  const older = next === null ? undefined : paths.runs(queryOf(filter, { cursor: next }))
  const list = html`${entriesOf(looking, listed, at)} ${nextPage(older)}`
  const main = html`${standingTabs(looking, filter)} ${filterForm(looking, listed)}
  ${problemOfAll(listed.problems)} ${retryOf(looking, listed)}
  ${isFirst ? live(paths.events, paths.runs(queryOf(filter)), livePart('runs', list)) : list}`
  return { title: 'Runs', main, place: 'runs' }
}

function filterForm({ terms: { paths } }: Looking, listed: ListedRuns): Html {
  const { filter, choices, problems } = listed
  const { agents, teams, tasks } = choices
  const { status, ...others } = filter
  const isNarrowed = Object.keys(others).length > 0
  const date = (name: 'from' | 'to', label: string): Html =>
    field({ name, label, value: filter[name], attributes: html`type="date"`, problems: {} })
  return html`<details class="filter" id="filter" ${isNarrowed && html`open`}>
    <summary>${isNarrowed ? 'Narrowed' : 'Narrow by agent, team, time…'}</summary>
    <form class="tools" method="get" action="${paths.runs()}" aria-label="Which runs">
      ${status !== undefined && html`<input type="hidden" name="status" value="${status}" />`}
      ${choiceOf('char_id', 'Agent', agents, filter.char_id, problems)}
      ${tasks && choiceOf('task_id', 'Task', tasks, filter.task_id)}
      ${teams?.length !== 0 && choiceOf('app_id', 'Team', teams, filter.app_id)}
      ${choice({ name: 'trigger', label: 'Set off by', problems: {}, options: triggerOptions(filter) })}
      ${date('from', 'From')} ${date('to', 'To')}
      ${
        filter.error_code !== undefined &&
        html`<label class="check">
          <input type="checkbox" name="error_code" value="${filter.error_code}" checked />
          <span>Only for: ${reasonOf(filter.error_code)}</span>
        </label>`
      }
      <button>Show</button>
      ${isNarrowed && html`<a class="button" href="${paths.runs(status === undefined ? {} : { status })}">Show all</a>`}
    </form>
  </details>`
}

function optionOf(value: string, words: string, chosen: string | undefined): Html {
  return html`<option value="${value}" ${value === chosen && html`selected`}>${words}</option>`
}

function standingTabs({ terms: { paths } }: Looking, filter: RunFilter): Html {
  const { status, ...others } = filter
  const to = (value: string | undefined) =>
    paths.runs(queryOf({ ...others, ...(value !== undefined && { status: value }) }))
  const all = Object.entries(standings).map(([value, { words }]) => [value, words] as const)
  const isOther = status !== undefined && !Object.hasOwn(standings, status)
  return tabs(
    [
      { href: to(undefined), label: 'All', isHere: status === undefined },
      ...all.map(([value, label]) => ({ href: to(value), label, isHere: value === status })),
      ...(isOther ? [{ href: to(status), label: name(status), isHere: true }] : []),
    ],
    'How they stand',
  )
}

function triggerOptions({ trigger }: RunFilter): Part {
  const all = [...triggers].map(([value, words]) => optionOf(value, words, trigger))
  return [optionOf('', 'Anything', trigger), all]
}

function entriesOf(looking: Looking, listed: ListedRuns, at: Showing): Html {
  const { filter, runs } = listed
  if (runs.length === 0) {
    const isAll = Object.keys(filter).length === 0
    return empty(isAll ? 'Nothing has run yet.' : 'No run is like that.')
  }
  return html`<ul class="lines">
    ${grouped(runs).map((entry) => html`<li>${entryOf(looking, filter, entry, at)}</li>`)}
  </ul>`
}

function entryOf(looking: Looking, filter: RunFilter, entry: Entry, at: Showing): Html {
  if ('one' in entry) return lineOf(lineOfRun(looking, entry.one, at))
  const { alike, code } = entry
  const [first] = alike
  const { word, tone, icon } = looks[first.status]
  const { char_id, task_id } = first
  const own = { ...filter, char_id, ...(task_id !== null && { task_id }), error_code: code }
  const same = queryOf({ ...own, status: filter.status ?? 'failed' })
  const { paths } = looking.terms
  return html`<details class="group" id="g-${first.id}">
    <summary class="line-of">
      <span class="about"
        ><strong>${titleOf(first, at)}</strong><br /><span class="soft"
          >${reasonOf(code)} · last ${timeOf(first.created_at, at)}</span
        ></span
      >
      ${badge({ word: `${word} × ${alike.length}`, tone, icon })}
    </summary>
    <p class="row">
      <a class="button" href="${paths.runs({ ...same, retry: 'all' })}">Retry all of these…</a>
      <a href="${paths.runs(same)}">All that failed for this</a>
    </p>
    <ul class="lines">
      ${alike.map((run) => html`<li>${lineOf(lineOfRun(looking, run, at))}</li>`)}
    </ul>
  </details>`
}

function lineOfRun({ terms: { paths } }: Looking, run: Run, at: Showing): Line {
  const { status, reason, error, started_at, finished_at } = run
  const took =
    started_at !== null &&
    finished_at !== null &&
    ` · ${lasted(Date.parse(finished_at) - Date.parse(started_at))}`
  const why = error
    ? reasonOf(error.code)
    : status !== 'completed' && reason !== null && reasonWords(reason)
  return {
    href: paths.run(run.id),
    name: titleOf(run, at),
    about: html`${timeOf(run.created_at, at)} ·
    ${triggers.get(run.trigger.type) ?? name(run.trigger.type)}${took}${why && html` · ${why}`}`,
    end: badge(looks[status]),
  }
}

function reasonOf(code: string): Part {
  return failureWords(code)?.says.replace(/\.$/, '') ?? name(code)
}

function retryOf(
  { terms: { paths }, account }: Looking,
  { filter, retry }: ListedRuns,
): Html | undefined {
  if (!retry) {
    return filter.status === 'failed'
      ? html`<p>
          <a href="${paths.runs(queryOf(filter, { retry: 'all' }))}">Retry all of these…</a>
        </p>`
      : undefined
  }
  if ('matched' in retry) {
    const { matched } = retry
    return html`<section class="card" aria-labelledby="retry-all">
      <h2 id="retry-all">Retry ${count(matched, 'run')}?</h2>
      <p>
        ${
          matched === 0
            ? 'Nothing that failed is left to be retried: each is retried once.'
            : 'Each is done again as it was, once, the oldest first. What was retried before is left out.'
        }
      </p>
      ${matched > 0 && retryForm(account, filter, undefined, matched > 100 ? 'Retry the first 100' : `Retry ${matched}`)}
      <p><a href="${paths.runs(queryOf(filter))}">Leave it</a></p>
    </section>`
  }
  const { done, left, after } = retry
  return html`<section class="card" role="status">
    <p>${count(done, 'run')} ${done === 1 ? 'was' : 'were'} queued again.</p>
    ${left > 0 && html`<p>${count(left, 'run')} could not be: the task is gone, or a retry is under way.</p>`}
    ${after !== undefined && retryForm(account, filter, after, 'Retry the next')}
  </section>`
}

function retryForm(
  account: { id: string },
  filter: RunFilter,
  after: string | undefined,
  label: string,
): Html {
  return html`<form method="post" class="buttons">
    ${onceField()} <input type="hidden" name="account" value="${account.id}" />
    ${Object.entries(queryOf(filter)).map(
      ([member, value]) => html`<input type="hidden" name="${member}" value="${value}" />`,
    )}
    ${after !== undefined && html`<input type="hidden" name="after" value="${after}" />`}
    <button class="main" name="action" value="retry_all">${label}</button>
  </form>`
}
