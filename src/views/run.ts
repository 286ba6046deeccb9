import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { Run, RunStatus } from '#src/runs/run.ts'
import { branches, linkMembers, stretchOf, type Link } from './chain.ts'
import { lasted, timeOf } from './moments.ts'
import { looks, tokensOf, triggers } from './run-words.ts'
import { cancelOf, chainList, chainTitle, detailOf, isOpen, titleOf } from './run-parts.ts'
import { badge, facts, leftOut, name, opens } from './parts.ts'
import type { Showing, View } from './view.ts'

/** Runs as a list answers them. */
interface Runs {
  items: readonly Link[]
  next_cursor: string | null
}

const runsAtMost = 100

/** A run with all that it has set off, or the runs of a list. */
export const runView: View<Run | Runs> = {
  name: 'run',
  title: 'A run and its chain',
  description: 'How a run stands with all that it has set off, as it goes on; it can be cancelled.',
  show(answer, at) {
    const runs = linksOf(answer)
    const [first] = runs
    if (!first) {
      return html`<header class="head"><h1>No runs</h1></header>
        <p class="state">No runs fit what was asked.</p>`
    }
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

/** One root with the runs under it, on one line of time. */
function chainOf(runs: readonly Link[], isCut: boolean, at: Showing): Html {
  const root = branches(runs)[0]?.run
  if (!root) throw new TypeError('runs that start each other in a circle')
  const asked = runs.find(({ id }) => id === at.input['run_id']) ?? root
  const { from, until } = stretchOf(runs, at.now)
  const open = runs.filter(isOpen)
  return html`<header class="head">
      <div>
        <p class="over">Run</p>
        <h1>${titleOf(root, at)}</h1>
      </div>
      ${badge(looks[chainStatus(root, runs)])}
    </header>
    ${facts([
      ['Since', timeOf(root.created_at, at)],
      ['Took', `${lasted(until - from)}${open.length > 0 ? ' so far' : ''}`],
      ['Set off by', triggers.get(root.trigger.type) ?? name(root.trigger.type)],
      ['Tokens', tokensOf(runs)],
    ])}
    ${asked !== root && html`<p class="over">Asked about: ${titleOf(asked, at)}</p>`}
    ${detailOf(asked, at)}
    <section aria-labelledby="chain">
      <h2 id="chain">${chainTitle(runs)}</h2>
      ${chainList(runs, asked, at)}
      ${isCut && html`<p class="soft">These are the newest runs of the chain; it has older ones.</p>`}
    </section>
    ${open[0] && open.length === 1 && cancelOf(open[0], at)}`
}

/** What is going on anywhere in the chain counts more than how its first run ended. */
function chainStatus(root: Link, runs: readonly Link[]): RunStatus {
  const order: readonly RunStatus[] = ['waiting_approval', 'waiting_input', 'running', 'queued']
  const open = order.find((status) => runs.some((run) => run.status === status))
  const failed = runs.find(({ status }) => status === 'failed' || status === 'timed_out')
  return open ?? failed?.status ?? root.status
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
                <span class="who">${titleOf(run, at)}</span>
                <span class="soft">${timeOf(run.created_at, at)}</span>
                ${badge(looks[run.status])}
              </summary>
              ${detailOf(run, at)} ${chainButton(run, at)}
            </details>
          </li>`,
      )}
    </ul>
    ${leftOut(runs.length - shown.length, 'run')}
    ${isCut && html`<p class="soft">There are older runs, too.</p>`}`
}

function chainButton({ root_run_id }: Link, at: Showing): Html {
  const input = { root_run_id, limit: 100, fields: linkMembers }
  return opens({ operation: 'runs.list', input }, { label: 'Show its chain', isButton: true }, at)
}
