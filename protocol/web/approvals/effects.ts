import { html, type Html } from '#src/core/html/html.ts'
import type { StoredApproval } from '#src/runs/approvals/approval.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import { agentName, name } from '#src/views/parts.ts'
import type { Showing } from '#src/views/view.ts'
import { timeOf } from '#src/views/moments.ts'

/** What of a task says what it does. */
export type Doing = Pick<Task, 'runtime' | 'api_url' | 'output_sharing'>

/** What becomes of it: approved, rejected, and where no one answers. @param task as it is now, where it may be seen */
export function effectsOf(approval: StoredApproval, task: Doing | undefined, at: Showing): Html {
  const { kind, on_reject, expires_at, fallback_agent_id, fell_back } = approval
  const ends =
    kind === 'secret_origin'
      ? 'the run fails'
      : on_reject === 'notify_only'
        ? 'the run ends there, and its owner is told'
        : 'the run is abandoned'
  const asksOther = fallback_agent_id !== null && !fell_back
  return html`<ul class="plain">
    <li>
      <strong>Approved:</strong> ${approvedOf(approval)}
      ${kind === 'gate' && task && workOf(task, at)}
    </li>
    <li><strong>Rejected:</strong> ${ends}.</li>
    ${
      expires_at !== null &&
      html`<li>
        <strong>No answer until ${timeOf(expires_at, at)}:</strong>
        ${asksOther ? html`${agentName(fallback_agent_id, null, at)} is asked` : ends}.
      </li>`
    }
  </ul>`
}

function approvedOf({ kind, allow_edit }: StoredApproval): string {
  switch (kind) {
    case 'gate':
      return `the task starts with this input${allow_edit === true ? ', or with the one that you change it to' : ''}.`
    case 'quorum':
      return 'the run completes, and what comes after it goes on.'
    case 'request':
      return 'the run goes on where it paused.'
    case 'tool':
      return 'this one call is made, once, and the run goes on.'
    default:
      return 'these secrets may be sent there from now on, and the run goes on.'
  }
}

function workOf({ runtime, api_url, output_sharing: to }: Doing, at: Showing): Html {
  const next =
    to?.enabled && to.target_agent_id
      ? html` Its result goes to ${agentName(to.target_agent_id, null, at)}.`
      : undefined
  return html`${deedOf(runtime, api_url)}${next}`
}

function deedOf(runtime: string | null, url: string | null): Html {
  switch (runtime) {
    case 'template':
      return html`It writes its text.`
    case 'api':
      return html`It calls ${name(url ?? 'an address', 200)}.`
    case 'shell':
    case 'container':
      return html`It runs a command.`
    case 'workflow':
      return html`It goes through the tasks of its agent.`
    case 'router':
      return html`It starts the task that fits.`
    default:
      return html`A model or an agent works on it.`
  }
}
