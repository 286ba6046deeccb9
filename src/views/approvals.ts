import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { Approval, ApprovalState, Vote } from '#src/runs/approvals/approval.ts'
import { timeOf } from './moments.ts'
import {
  act,
  agentName,
  badge,
  facts,
  icon,
  leftOut,
  literal,
  name,
  outside,
  said,
  type Look,
} from './parts.ts'
import { taskName } from './run-parts.ts'
import type { Showing, View } from './view.ts'

/** Approvals as a list answers them. */
interface Approvals {
  items: readonly Approval[]
  next_cursor: string | null
}

const shownAtMost = 20
const namedAtMost = 10

/** What is asked of the reader's agents, and the reader. */
export const approvalsView: View<Approval | Approvals> = {
  name: 'approvals',
  title: 'Approvals',
  description: 'What waits for a decision, and what exactly would happen; it can be decided there.',
  show(answer, at) {
    const all = 'items' in answer ? answer.items : [answer]
    const shown = all.slice(0, shownAtMost)
    const open = all.filter(({ state }) => state === 'pending').length
    if (all.length === 0) return nothing()
    const isCut = 'items' in answer && answer.next_cursor !== null
    return html`<header class="head">
        <h1>${open === 0 ? 'Nothing to decide' : `${count(open, 'decision')} to make`}</h1>
      </header>
      ${shown.map((one) => approvalOf(one, at))} ${leftOut(all.length - shown.length, 'approval')}
      ${isCut && html`<p class="soft">There are older ones, too.</p>`}`
  },
  again(answer, { input }) {
    if (!('items' in answer)) {
      return { operation: 'approvals.get', input: { approval_id: answer.id } }
    }
    const { cursor: _cursor, ...narrowed } = input
    return { operation: 'approvals.list', input: narrowed }
  },
  rereading: () => 'on_request',
}

function nothing(): Html {
  return html`<header class="head"><h1>Nothing to decide</h1></header>
    <p class="state">No run waits for an approval.</p>`
}

const looks: Readonly<Record<ApprovalState, Look>> = {
  pending: { word: 'Asked', tone: 'wait', icon: 'hand' },
  approved: { word: 'Approved', tone: 'good', icon: 'check' },
  rejected: { word: 'Rejected', tone: 'bad', icon: 'cross' },
  expired: { word: 'Too late', tone: 'calm', icon: 'clock' },
  cancelled: { word: 'No longer asked', tone: 'calm', icon: 'slash' },
}

const kinds: Readonly<Record<Approval['kind'], string>> = {
  gate: 'Before a run starts',
  quorum: 'For a whole run',
  request: 'Midway in a run',
  secret_origin: 'Before secrets are sent somewhere',
  tool: 'One call of a tool',
}

function approvalOf(one: Approval, at: Showing): Html {
  const { id, state } = one
  return html`<article class="card approval" id="a-${id}" aria-labelledby="q-${id}">
    ${questionOf(one, at)} ${votesOf(one, at)} ${state === 'pending' && decisionOf(one, at)}
  </article>`
}

const shortAtMost = 2000

/**
 * What is asked, by whom, and what exactly would happen.
 * @param atMost of how many characters a text is shown
 */
export function questionOf(one: Approval, at: Showing, atMost?: number): Html {
  const { id, kind, char_id, task_id, prompt, state, created_at, expires_at, decided_at } = one
  const asked = prompt.slice(0, atMost ?? shortAtMost)
  return html`<header>
      <p class="over">${agentName(char_id, null, at)} · ${taskName({ char_id, task_id }, at)}</p>
      ${badge(looks[state])}
    </header>
    <h2 id="q-${id}" dir="auto">${withHiddenShown(asked.toWellFormed())}</h2>
    ${prompt.length > asked.length && html`<p class="soft">The question goes on.</p>`}
    ${outside(one)} ${whatOf(one, at, atMost)}
    ${facts([
      ['Asked', timeOf(created_at, at)],
      ['Until', expires_at === null ? undefined : timeOf(expires_at, at)],
      ['Decided', decided_at && timeOf(decided_at, at)],
      ['About', kinds[kind]],
      ['Needed', one.needed > 1 ? `${one.needed} of ${one.approvers.length}` : undefined],
    ])}`
}

/** What exactly would happen. */
function whatOf(
  { input, tool_call, secret_origins, edited_input, edited_by }: Approval,
  at: Showing,
  atMost?: number,
): Html {
  const by = edited_input === undefined ? undefined : at.who?.(edited_by)
  return html`${
    tool_call &&
    html`<h3>Calls ${name(tool_call.tool)}</h3>
      ${literal(tool_call.arguments, 'The arguments of the call', atMost)}`
  }${
    secret_origins &&
    html`<ul class="plain">
      ${secret_origins
        .slice(0, namedAtMost)
        .map(
          ({ secret, origin }) =>
            html`<li>
              The secret <code>${name(secret)}</code> goes to <code>${name(origin)}</code>
            </li>`,
        )}
      ${leftOut(secret_origins.length - namedAtMost, 'secret')}
    </ul>`
  }${
    !tool_call &&
    input !== null &&
    input !== undefined &&
    input !== '' &&
    html`<h3>With this input</h3>
      ${literal(input, 'The input', atMost)}`
  }${
    edited_input !== undefined &&
    html`<h3>Changed${by !== undefined && html` by ${name(by)}`} to</h3>
      ${literal(edited_input, 'The changed input', atMost)}`
  }`
}

/** Who has said what. */
export function votesOf({ votes }: Approval, at: Showing): Html | undefined {
  if (votes.length === 0) return undefined
  return html`<ul class="votes">
    ${votes.slice(0, namedAtMost).map((vote) => voteOf(vote, at))}
    ${leftOut(votes.length - namedAtMost, 'answer')}
  </ul>`
}

function voteOf(vote: Vote, at: Showing): Html {
  const { by, decided_by, decision, edited, reason, at: when } = vote
  const isYes = decision === 'approve'
  const who = at.who?.(decided_by)
  return html`<li class="${isYes ? 'good' : 'bad'}">
    ${icon(isYes ? 'check' : 'cross')}
    <div>
      ${isYes ? 'Approved' : 'Rejected'}${edited && ' with a change'}${who !== undefined && html` by ${name(who)},`}
      as ${agentName(by, null, at)}
      <span class="soft">${timeOf(when, at)}</span> ${reason !== null && said(reason, 500)}
    </div>
  </li>`
}

/** As which of their agents a caller votes, where several are asked. */
function voterOf(id: string, yours: readonly string[], at: Showing): Html | undefined {
  if (yours.length < 2) return undefined
  return html`<div class="field">
    <label for="as-${id}">Answer as</label>
    <select id="as-${id}" name="as_char_id">
      ${yours
        .slice(0, votersAtMost)
        .map(
          (one) =>
            html`<option value="${one}">
              ${withHiddenShown((at.agent?.(one) ?? one).slice(0, 80))}
            </option>`,
        )}
    </select>
  </div>`
}

/** So many agents are asked at most. */
const votersAtMost = 100

function decisionOf(approval: Approval, at: Showing): Html {
  const { id, require_person, prompt, yours, approvers } = approval
  if (require_person) {
    return html`<div class="asks">
      <p>A person decides this, who is signed in.</p>
      <a class="button main" href="${at.link(`/approvals/${encodeURIComponent(id.slice(0, 128))}`)}"
        >Decide it there</a
      >
    </div>`
  }
  if (yours?.length === 0 && approvers.length > 0) {
    return html`<p class="soft">Others decide this.</p>`
  }
  return act(
    {
      operation: 'approvals.decide',
      input: { approval_id: id },
      fields: html`${voterOf(id, yours ?? [], at)}
        <div class="field">
          <label for="note-${id}">A note <span class="soft">(it may be left out)</span></label>
          <input id="note-${id}" name="reason" maxlength="2000" dir="auto" autocomplete="off" />
        </div>`,
      buttons: [
        { label: 'Approve', kind: 'main', sends: ['decision', 'approve'] },
        { label: 'Reject', kind: 'bad', sends: ['decision', 'reject'] },
      ],
      shows: 'again',
      about: `Decide: ${withHiddenShown(prompt.slice(0, 80))}`,
    },
    at,
  )
}
