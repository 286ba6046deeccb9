import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { Actor } from '#src/core/credentials/actor.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { PersonsApproval } from '#src/runs/approvals/for-person.ts'
import type { Run } from '#src/runs/run.ts'
import { questionOf, votesOf } from '#src/views/approvals.ts'
import { agentName, facts, name } from '#src/views/parts.ts'
import { chainList, taskName } from '#src/views/run-parts.ts'
import { triggers } from '#src/views/run-words.ts'
import type { Showing } from '#src/views/view.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Names } from '../console/names.ts'
import { live, livePart, part } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { showingOf } from '../console/view-frame.ts'
import { area, choice, problemOfAll, type Problems } from '../fields.ts'
import { editField, type EditForm } from './approval-edit.ts'
import { effectsOf, type Doing } from './effects.ts'

/** An approval, for the person who looks at it. */
export interface ShownApproval extends PersonsApproval {
  shown: Approval
  /** The run that waits, with those before it; none of another account. */
  chain: readonly Run[]
  /** The task as it is now, of the own account. */
  task: Doing | undefined
  known: Names
}

/** The form of a decision, as it was filled in and with what was wrong with it. */
export interface ApprovalForm {
  reason?: string
  /** The agent as which the person votes. */
  as?: string | undefined
  /** The changed input as it was sent. */
  edit?: EditForm
  problems?: Problems
  /** Their answer was taken just now. */
  isDone?: boolean
}

/** So many characters of an input are shown; what is longer says so. */
const inputAtMost = 50_000

/** The page of an approval. */
export function approvalView(
  looking: Looking,
  one: ShownApproval,
  form: ApprovalForm = {},
  status = 200,
): ConsoleView {
  const { paths } = looking.terms
  const { shown, mayDecide } = one
  const { isDone = false, problems = {} } = form
  const isOpen = shown.state === 'pending'
  const at = {
    ...showingOf(looking, { names: one.known, input: { run_id: shown.run_id } }),
    who: (actor: Actor | undefined) => whoOf(actor, looking, one),
  }
  const answers = part('Answers', 'votes', answersOf(shown, at))
  const main = html`${isDone && doneNote(shown)}${!isOpen && problemOfAll(problems)}
  ${otherAccount(looking, one)}
  ${live(
    paths.events,
    paths.approval(shown.id),
    html`<div class="panes">
      <div>
        <article class="card approval" aria-labelledby="q-${shown.id}">
          ${questionOf(shown, at, inputAtMost)}
          ${
            isOpen &&
            html`<h3>What happens then</h3>
              ${effectsOf(one.approval, one.task, at)}`
          }
        </article>
        ${isOpen && (mayDecide ? decisionForm(one, form, at) : notAsked(one, at))}
        ${chainOf(one, at)}
      </div>
      <div>${livePart('answers', answers)} ${aboutOf(looking, one, at)}</div>
    </div>`,
  )}`
  return { status, title: titles[shown.state], main, place: 'needs', isForAll: true }
}

const titles: Readonly<Record<Approval['state'], string>> = {
  pending: 'An approval is asked of you',
  approved: 'This was approved',
  rejected: 'This was rejected',
  expired: 'The time for this is over',
  cancelled: 'This is no longer asked',
}

function doneNote({ state, votes, needed }: Approval): Html {
  const agreed = votes.filter(({ decision }) => decision === 'approve').length
  const text =
    state === 'pending'
      ? `Your answer is kept. So far ${agreed} of ${needed} have approved; you may change it until it is decided.`
      : 'Your answer is kept, and it is decided.'
  return html`<p class="card" role="status">${text}</p>`
}

/** A person sees an approval through any of their accounts, and the rest of the console through one. */
function otherAccount({ me, account }: Looking, { accountId }: ShownApproval): Html | undefined {
  if (accountId === account.id) return undefined
  const called = me.accounts.find(({ id }) => id === accountId)?.name ?? accountId
  return html`<p class="card">This is asked of another of your accounts: ${name(called)}.</p>`
}

function answersOf(shown: Approval, at: Showing): Html {
  const { votes, needed, approvers } = shown
  return html`${
      votes.length === 0 ? html`<p class="soft">No one has answered yet.</p>` : votesOf(shown, at)
    }
    <p class="soft">
      ${count(needed, 'approval')} ${needed === 1 ? 'is' : 'are'} needed.
      ${approvers.length > 0 && html`Asked: ${agentList(approvers, at)}.`}
    </p>`
}

const listedAtMost = 20

function agentList(ids: readonly string[], at: Showing): Html {
  const more = ids.length - listedAtMost
  const listed = ids
    .slice(0, listedAtMost)
    .map((id, i) => html`${i > 0 && ', '}${agentName(id, null, at)}`)
  return html`${listed}${more > 0 && ` and ${more} more`}`
}

function whoOf(actor: Actor | undefined, { me }: Looking, { people }: ShownApproval): string {
  if (actor?.kind !== 'person') return 'a key'
  if (actor.person_id === me.person.id) return 'you'
  return people.get(actor.person_id ?? '') ?? 'a person'
}

/** What led to the question. */
function chainOf({ chain, shown }: ShownApproval, at: Showing): Html | undefined {
  const asking = chain.find(({ id }) => id === shown.run_id)
  if (!asking || chain.length < 2) return undefined
  return part('What led to it', 'chain', chainList(chain, asking, at))
}

function aboutOf(
  { terms: { paths }, account }: Looking,
  { shown, trigger, accountId, names }: ShownApproval,
  at: Showing,
): Html {
  const { char_id, task_id, run_id, follow_up_run_id } = shown
  // Its agent and its runs have pages in the account that the console shows.
  const isHere = names !== undefined && accountId === account.id
  const linked = (href: string, words: Html): Html =>
    isHere ? html`<a href="${href}">${words}</a>` : words
  const agent = agentName(char_id, null, at)
  return part(
    'About it',
    'about',
    html`<div class="card">
      ${facts([
        ['Agent', linked(paths.agent(char_id), agent)],
        [
          'Task',
          linked(paths.agent(char_id, ['tasks', task_id]), taskName({ char_id, task_id }, at)),
        ],
        ['Set off by', trigger !== undefined && (triggers.get(trigger) ?? name(trigger))],
        ['Run', linked(paths.run(run_id), html`<code>${run_id}</code>`)],
        [
          'Goes on as',
          follow_up_run_id !== null &&
            linked(paths.run(follow_up_run_id), html`<code>${follow_up_run_id}</code>`),
        ],
      ])}
    </div>`,
  )
}

function notAsked({ shown, role }: ShownApproval, at: Showing): Html {
  const { approvers, kind } = shown
  if (kind === 'secret_origin') {
    return html`<p class="card">An owner of the account decides this. You can only look.</p>`
  }
  if (role === 'reader') {
    return html`<p class="card">
      Owners and approvers of the account decide this. You are a reader of it, and can only look.
    </p>`
  }
  return html`<p class="card">Others are asked: ${agentList(approvers, at)}. You can only look.</p>`
}

function decisionForm({ shown, voters }: ShownApproval, form: ApprovalForm, at: Showing): Html {
  const { reason, as, problems = {} } = form
  const choosesAgent = voters.length > 1 && shown.require_person !== true
  return html`<form method="post" novalidate class="card" aria-labelledby="decision">
    <h2 id="decision">Decide</h2>
    ${problemOfAll(problems)}
    ${
      choosesAgent &&
      choice({
        name: 'as',
        label: 'As the agent',
        problems,
        options: voters.map(
          (id) =>
            html`<option value="${id}" ${id === as && html`selected`}>
              ${at.agent?.(id) ?? id}
            </option>`,
        ),
      })
    }
    ${editField(shown, form.edit ?? { input: null, form: null }, problems)}
    ${area({
      name: 'reason',
      label: 'A note',
      hint: 'It is kept with your answer. It may be left out.',
      attributes: html`rows="3" maxlength="2000" dir="auto" autocomplete="off"`,
      value: reason,
      problems,
    })}
    <div class="buttons">
      <button class="main" name="action" value="approve">Approve</button>
      <button class="bad" name="action" value="reject">Reject</button>
    </div>
  </form>`
}
