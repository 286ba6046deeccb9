import { html, type Html, type Part } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import { barOf, branches, stretchOf, type Branch, type Link, type Stretch } from './chain.ts'
import { failureWords } from './failure-words.ts'
import { lasted, timeOf } from './moments.ts'
import { looks, reasonWords } from './run-words.ts'
import { act, agentName, facts, icon, leftOut, literal, name, outside } from './parts.ts'
import type { Showing } from './view.ts'

const runsAtMost = 100
const depthAtMost = 6

/** Whether a run goes on or waits. */
export function isOpen({ finished_at }: Pick<Link, 'finished_at'>): boolean {
  return finished_at === null
}

/** Whose run it is, and of which task. */
export function titleOf({ char_id, app_id, task_id }: Link, at: Showing): Html {
  const agent = agentName(char_id, app_id, at)
  return html`${agent} <span class="soft">${taskName({ char_id, task_id }, at)}</span>`
}

/** The task of a run by its name, or by its id where that is not known. */
export function taskName(
  { char_id, task_id }: Pick<Link, 'char_id' | 'task_id'>,
  at: Pick<Showing, 'task'>,
): Html {
  if (task_id === null) return html`Profile`
  return name(at.task?.(char_id, task_id) ?? task_id)
}

/** What a run gave, or why not. */
export function detailOf(run: Link, at: Showing): Html {
  const { output, error, approval_id } = run
  return html`${outside(run)} ${error && problemOf(error)}
  ${approval_id !== null && run.status === 'waiting_approval' && askedIn(approval_id, at)}
  ${
    output !== null &&
    output !== undefined &&
    html`<section class="card" aria-labelledby="out-${run.id}">
      <h2 id="out-${run.id}">Output</h2>
      ${literal(output, 'The output')}
    </section>`
  }`
}

function problemOf({ code, message }: NonNullable<Link['error']>): Html {
  const words = failureWords(code)
  return html`<div class="problem">
    <p><strong>${words ? words.says : 'It failed.'}</strong> ${name(message, 2000)}</p>
    ${words && html`<p>${words.cure}</p>`}
    <p><code>${name(code)}</code></p>
  </div>`
}

function askedIn(approvalId: string, at: Showing): Html {
  return html`<div class="asks">
    <p>It goes on once this is decided.</p>
    <a
      class="button main"
      href="${at.link(`/approvals/${encodeURIComponent(approvalId.slice(0, 128))}`)}"
      >Look at what is asked</a
    >
  </div>`
}

/**
 * Runs that belong together, on one line of time: each under the one that started it.
 * @param asked the one that is looked at
 */
export function chainList(runs: readonly Link[], asked: Link, at: Showing): Html {
  const all = branches(runs)
  const shown = all.slice(0, runsAtMost)
  const stretch = stretchOf(runs, at.now)
  return html`<ol class="chain">
      ${shown.map((branch) => rowOf(branch, stretch, at, asked))}
    </ol>
    ${leftOut(all.length - shown.length, 'run')}`
}

/** What a chain is called. */
export function chainTitle(runs: readonly Link[]): Part {
  return runs.length === 1 ? 'Time' : `Chain of ${count(runs.length, 'run')}`
}

function rowOf({ run, depth }: Branch, stretch: Stretch, at: Showing, asked: Link): Html {
  const { status, created_at, started_at, finished_at } = run
  const look = looks[status]
  const { waits, works } = barOf(run, stretch, at.now)
  const end = finished_at === null ? at.now : Date.parse(finished_at)
  const took = lasted(end - Date.parse(started_at ?? created_at))
  return html`<li class="in-${Math.min(depth, depthAtMost)}">
    <details id="r-${run.id}">
      <summary ${run === asked && html`aria-current="true"`}>
        <span class="what ${look.tone}"
          >${icon(look.icon)}<span class="who">${titleOf(run, at)}</span></span
        >
        <svg
          class="bar ${look.tone}"
          viewBox="0 0 1000 10"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect class="waits" x="${waits.x}" width="${waits.width}" y="3" height="4" />
          <rect
            class="works"
            x="${works.x}"
            width="${Math.max(works.width, 6)}"
            y="0"
            height="10"
            rx="3"
          />
        </svg>
        <span class="took"><span class="word">${look.word}, </span>${took}</span>
      </summary>
      ${facts([
        ['Asked for', timeOf(created_at, at)],
        ['Begun', started_at && timeOf(started_at, at)],
        ['Ended', finished_at && timeOf(finished_at, at)],
        ['Why', run.reason !== null && reasonWords(run.reason)],
        ['Agent', name(run.char_id)],
        ['Run', runName(run, at)],
      ])}
      ${run !== asked && detailOf(run, at)} ${isOpen(run) && cancelOf(run, at)}
    </details>
  </li>`
}

/** A run by its id, which leads to its page where there is one. */
function runName({ id }: Link, at: Showing): Html {
  const address = at.page?.({ operation: 'runs.get', input: { run_id: id } })
  const code = html`<code>${id}</code>`
  return address === undefined ? code : html`<a href="${address}">${code}</a>`
}

/** Ends a run that has not ended. */
export function cancelOf({ id, char_id }: Link, at: Showing): Html {
  return act(
    {
      operation: 'runs.cancel',
      input: { run_id: id },
      buttons: [{ label: 'Cancel this run', kind: 'bad' }],
      shows: 'again',
      about: `Cancel the run of ${withHiddenShown(char_id.slice(0, 80))}`,
    },
    at,
  )
}
