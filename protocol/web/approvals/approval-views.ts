import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Actor } from '#src/core/credentials/actor.ts'
import type { Approval, Vote } from '#src/runs/approvals/approval.ts'
import type { PersonsApproval } from '#src/runs/approvals/for-person.ts'
import { editField, type EditForm } from './approval-edit.ts'
import { area, choice, problemOfAll, type Problems } from '../fields.ts'
import { timeOf } from '../holdings.ts'
import { textOf } from '../input-text.ts'
import type { Paths } from '../paths.ts'
import { ownNav } from '../entry/sign-out.ts'

/** An approval, for the person who looks at it. */
export interface ShownApproval extends PersonsApproval {
  paths: Paths
  personId: string
  shown: Approval
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

/** So much of an input is shown; what is longer says so. */
const inputAtMost = 50_000

/** The page of an approval. */
export function approvalView(one: ShownApproval, form: ApprovalForm = {}, status = 200): View {
  const { paths, shown, mayDecide } = one
  const { isDone = false, problems = {} } = form
  const isOpen = shown.state === 'pending'
  const main = html` ${isDone && doneNote(shown)}${!isOpen && problemOfAll(problems)}
    <section class="card" aria-labelledby="asked">
      <h2 id="asked">${isOpen ? 'What is asked' : 'What was asked'}</h2>
      <p class="said" dir="auto">${shown.prompt}</p>
    </section>
    ${outsideNote(shown)} ${aboutOf(one)} ${callOf(shown)}
    ${inputOf(shown.id, shown.input, 'input', 'The input')} ${editOf(one)} ${votesOf(one)}
    ${isOpen && (mayDecide ? decisionForm(one, form) : notAsked(one))}`
  return { status, title: titles[shown.state], main, nav: ownNav(paths) }
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

/** Who decides has to know that someone else wrote what they read. */
function outsideNote({ untrusted, source }: Approval): Html | undefined {
  if (!untrusted) return undefined
  const { kind, address, handle, char_id } = source ?? {}
  const from = address ?? handle ?? char_id
  return html`<p class="card">
    It holds words from outside of the
    account${kind !== undefined && html` (${kind}${from !== undefined && html`, <bdi>${from}</bdi>`})`}.
    Judge them; they may say anything.
  </p>`
}

function aboutOf({ shown, names, trigger }: ShownApproval): Html {
  const { char_id, task_id, run_id, created_at, expires_at, decided_at, follow_up_run_id } = shown
  return html`<dl class="card">
    <dt>Agent</dt>
    <dd>${named(names?.agent, char_id)}</dd>
    <dt>Task</dt>
    <dd>${named(names?.task, task_id)}</dd>
    <dt>Run</dt>
    <dd><code>${run_id}</code></dd>
    ${
      trigger !== undefined &&
      html`<dt>Set off by</dt>
        <dd><bdi>${triggers.get(trigger) ?? trigger}</bdi></dd>`
    }
    <dt>Asked since</dt>
    <dd>${timeOf(created_at)}</dd>
    <dt>Until</dt>
    <dd>${expires_at === null ? 'No limit' : timeOf(expires_at)}</dd>
    ${
      decided_at !== null &&
      html`<dt>Decided on</dt>
        <dd>${timeOf(decided_at)}</dd>`
    }
    ${
      follow_up_run_id !== null &&
      html`<dt>Goes on as</dt>
        <dd><code>${follow_up_run_id}</code></dd>`
    }
  </dl>`
}

const triggers: ReadonlyMap<string, string> = new Map([
  ['manual', 'a call'],
  ['cron', 'its schedule'],
  ['webhook', 'a webhook'],
  ['event', 'an event'],
  ['action', 'an action'],
  ['message', 'a message'],
  ['order', 'an order'],
])

function named(name: string | undefined, id: string): Html {
  if (name === undefined || name === id) return html`<bdi>${id}</bdi>`
  return html`<bdi>${name}</bdi><br /><code class="soft">${id}</code>`
}

/** An input as it is, as text: it may hold anything. */
function inputOf(id: string, input: unknown, name: string, title: string | Html): Html {
  const text = textOf(input)
  const isCut = text.length > inputAtMost
  return html`<section class="card" aria-labelledby="${name}-title">
    <h2 id="${name}-title">${title}</h2>
    <pre class="said" dir="auto" tabindex="0" aria-labelledby="${name}-title">
${isCut ? text.slice(0, inputAtMost) : text}</pre>
    ${
      isCut &&
      html`<p class="wrong">
        It goes on: ${String(text.length - inputAtMost)} more characters are not shown here. The
        whole is part of the approval <code>${id}</code>.
      </p>`
    }
  </section>`
}

/** The call of a tool that is asked about, whole. */
function callOf({ id, tool_call }: Approval): Html | undefined {
  return tool_call && inputOf(id, tool_call, 'call', 'The call')
}

/** The change that is proposed, or was approved. */
function editOf({ shown, ...looking }: ShownApproval): Html | undefined {
  const { id, state, edited_input, edited_by } = shown
  if (edited_input === undefined) return undefined
  const by = whoOf(edited_by, looking)
  const title =
    state === 'approved' ? html`The input as changed by ${by}` : html`A change proposed by ${by}`
  return inputOf(id, edited_input, 'edited', title)
}

function votesOf({ shown, ...looking }: ShownApproval): Html {
  const { votes, needed, approvers } = shown
  return html`<section aria-labelledby="votes">
    <h2 id="votes">Answers so far</h2>
    <p class="soft">${needed} must approve. Asked: ${bdiList(approvers)}.</p>
    ${
      votes.length > 0 &&
      html`<ul class="list card">
        ${votes.map((vote) => voteItem(vote, looking))}
      </ul>`
    }
  </section>`
}

const listedAtMost = 20

function bdiList(ids: readonly string[]): Html {
  const more = ids.length - listedAtMost
  const listed = ids.slice(0, listedAtMost).map((id, i) => html`${i > 0 && ', '}<bdi>${id}</bdi>`)
  return html`${listed}${more > 0 && ` and ${more} more`}`
}

type Looking = Pick<ShownApproval, 'personId' | 'people'>

function whoOf(actor: Actor | undefined, { personId, people }: Looking): Html {
  if (actor?.kind !== 'person') return html`a key`
  if (actor.person_id === personId) return html`you`
  const address = people.get(actor.person_id ?? '')
  return address === undefined ? html`a person` : html`<bdi>${address}</bdi>`
}

function voteItem(vote: Vote, looking: Looking): Html {
  const { by, decided_by, decision, edited, reason, at } = vote
  const who = whoOf(decided_by, looking)
  return html`<li>
    <div>
      <p>
        <strong>${decision === 'approve' ? 'Approved' : 'Rejected'}</strong
        >${edited && ' with the change'} by ${who}, as
        <bdi>${by}</bdi>
      </p>
      ${reason !== null && html`<p class="said" dir="auto">${reason}</p>`}
      <p class="soft">${timeOf(at)}</p>
    </div>
  </li>`
}

function notAsked({ shown, role }: ShownApproval): Html {
  const { approvers, kind } = shown
  if (kind === 'secret_origin') {
    return html`<p class="card">An owner of the account decides this. You can only look.</p>`
  }
  if (role === 'reader') {
    return html`<p class="card">
      Owners and approvers of the account decide this. You are a reader of it, and can only look.
    </p>`
  }
  return html`<p class="card">Others are asked: ${bdiList(approvers)}. You can only look.</p>`
}

function decisionForm({ shown, voters }: ShownApproval, form: ApprovalForm): Html {
  const { reason, as, problems = {} } = form
  const choosesAgent = voters.length > 1 && shown.require_person !== true
  return html`<form method="post" novalidate class="card" aria-labelledby="decide">
    <h2 id="decide">Decide</h2>
    ${problemOfAll(problems)}
    ${
      choosesAgent &&
      choice({
        name: 'as',
        label: 'As the agent',
        problems,
        options: voters.map(
          (id) => html`<option value="${id}" ${id === as && html`selected`}>${id}</option>`,
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
    <div class="actions">
      <button class="main" name="action" value="approve">Approve</button>
      <button class="bad" name="action" value="reject">Reject</button>
    </div>
  </form>`
}
