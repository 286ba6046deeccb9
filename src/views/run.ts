import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { Run, RunStatus } from '#src/runs/run.ts'
import {
  barOf,
  branches,
  linkMembers,
  stretchOf,
  type Branch,
  type Link,
  type Stretch,
} from './chain.ts'
import { lasted, timeOf } from './moments.ts'
import { looks, tokensOf, triggers } from './run-words.ts'
import { act, agentName, badge, facts, icon, leftOut, literal, name, outside } from './parts.ts'
import type { Showing, View } from './view.ts'

/** Runs as a list answers them. */
interface Runs {
  items: readonly Link[]
  next_cursor: string | null
}

const runsAtMost = 100
const depthAtMost = 6

/** A run with all that it has set off, or the runs of a list. */
export const runView: View<Run | Runs> = {
  name: 'run',
  title: 'A run and its chain',
  description: 'How a run stands with all that it has set off, as it goes on; it can be cancelled.',
  show(answer, at) {
    const runs = linksOf(answer)
    const [first] = runs
    if (!first) return html`<p class="state">No runs fit what was asked.</p>`
    const isChain = runs.every((run) => run.root_run_id === first.root_run_id)
    const left = 'items' in answer && answer.next_cursor !== null
    return isChain ? chainOf(runs, left, at) : listOf(runs, left, at)
  },
  again(answer, { input }) {
    const runs = linksOf(answer)
    const root = runs[0]?.root_run_id
    const isChain = root !== undefined && runs.every((run) => run.root_run_id === root)
    const narrowed = isChain ? { root_run_id: root, limit: 100 } : withoutWait(input)
    return { operation: 'runs.list', input: { ...narrowed, fields: linkMembers } }
  },
  rereading(answer) {
    if (!('items' in answer)) return 'at_once'
    return linksOf(answer).some(isOpen) ? 'while_open' : 'on_request'
  },
}

function linksOf(answer: Run | Runs): readonly Link[] {
  const runs = 'items' in answer ? answer.items : [answer]
  return runs.map((run) => ({ ...blank, ...run }))
}

/** Where members are chosen, those that are null are left out. */
const blank = {
  task_id: null,
  app_id: null,
  reason: null,
  output: null,
  error: null,
  approval_id: null,
  parent_run_id: null,
  started_at: null,
  finished_at: null,
} as const

/** A poll must not wait, and one page is all that is shown. */
function withoutWait({
  wait_seconds: _wait,
  cursor: _cursor,
  ...input
}: Readonly<Record<string, unknown>>) {
  return input
}

function isOpen({ finished_at }: Link): boolean {
  return finished_at === null
}

function titleOf({ char_id, app_id, task_id }: Link): Html {
  const agent = agentName(char_id, app_id)
  return html`${agent} <span class="soft">${name(task_id ?? 'profile')}</span>`
}

/** One root with the runs under it, on one line of time. */
function chainOf(runs: readonly Link[], isCut: boolean, at: Showing): Html {
  const all = branches(runs)
  const root = all[0]?.run
  if (!root) throw new TypeError('runs that start each other in a circle')
  const shown = all.slice(0, runsAtMost)
  const asked = runs.find(({ id }) => id === at.input['run_id']) ?? root
  const stretch = stretchOf(runs, at.now)
  const open = runs.filter(isOpen)
  return html`<header class="head">
      <div>
        <p class="over">Run</p>
        <h1>${titleOf(root)}</h1>
      </div>
      ${badge(looks[chainStatus(root, runs)])}
    </header>
    ${facts([
      ['Since', timeOf(root.created_at, at)],
      ['Took', `${lasted(stretch.until - stretch.from)}${open.length > 0 ? ' so far' : ''}`],
      ['Set off by', triggers.get(root.trigger.type) ?? name(root.trigger.type)],
      ['Tokens', tokensOf(runs)],
    ])}
    ${detailOf(asked, at, asked === root ? undefined : 'Asked about')}
    <section aria-labelledby="chain">
      <h2 id="chain">
        ${runs.length === 1 ? 'Time' : html`Chain of ${count(runs.length, 'run')}`}
      </h2>
      <ol class="chain">
        ${shown.map((branch) => rowOf(branch, stretch, at, asked))}
      </ol>
      ${leftOut(all.length - shown.length, 'run')}
      ${isCut && html`<p class="soft">These are the newest runs of the chain; it has older ones.</p>`}
    </section>
    ${open[0] && open.length === 1 && cancelOf(open[0])}`
}

/** What is going on anywhere in the chain counts more than how its first run ended. */
function chainStatus(root: Link, runs: readonly Link[]): RunStatus {
  const order: readonly RunStatus[] = ['waiting_approval', 'waiting_input', 'running', 'queued']
  const open = order.find((status) => runs.some((run) => run.status === status))
  const failed = runs.find(({ status }) => status === 'failed' || status === 'timed_out')
  return open ?? failed?.status ?? root.status
}

/** What a run gave, or why not. */
function detailOf(run: Link, at: Showing, over?: string): Html {
  const { output, error, approval_id } = run
  return html`${over !== undefined && html`<p class="over">${over}: ${titleOf(run)}</p>`}
  ${outside(run)} ${error && problemOf(error)}
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
  return html`<div class="problem">
    <p><strong>It failed:</strong> ${name(message, 2000)}</p>
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
          >${icon(look.icon)}<span class="who">${titleOf(run)}</span></span
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
        ['Why', run.reason && name(run.reason)],
        ['Agent', name(run.char_id)],
        ['Run', html`<code>${run.id}</code>`],
      ])}
      ${run !== asked && detailOf(run, at)} ${isOpen(run) && cancelOf(run)}
    </details>
  </li>`
}

function cancelOf({ id, char_id }: Link): Html {
  return act({
    operation: 'runs.cancel',
    input: { run_id: id },
    buttons: [{ label: 'Cancel this run', kind: 'bad' }],
    shows: 'again',
    about: `Cancel the run of ${withHiddenShown(char_id.slice(0, 80))}`,
  })
}

/** Runs that have nothing to do with each other. */
function listOf(runs: readonly Link[], isCut: boolean, at: Showing): Html {
  const shown = runs.slice(0, runsAtMost)
  return html`<header class="head"><h1>${count(runs.length, 'run')}</h1></header>
    <ul class="rows">
      ${shown.map(
        (run) =>
          html`<li>
            <details id="r-${run.id}">
              <summary>
                <span class="who">${titleOf(run)}</span>
                <span class="soft">${timeOf(run.created_at, at)}</span>
                ${badge(looks[run.status])}
              </summary>
              ${detailOf(run, at)} ${chainButton(run)}
            </details>
          </li>`,
      )}
    </ul>
    ${leftOut(runs.length - shown.length, 'run')}
    ${isCut && html`<p class="soft">There are older runs, too.</p>`}`
}

function chainButton({ root_run_id }: Link): Html {
  return act({
    operation: 'runs.list',
    input: { root_run_id, limit: 100, fields: linkMembers },
    buttons: [{ label: 'Show its chain' }],
    shows: 'answer',
    about: 'Show the chain of this run',
  })
}
