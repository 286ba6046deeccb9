import { approvalParking } from '../approvals/open.ts'
import { RunFailure } from '../failure.ts'
import { render, variablesOf } from '../template.ts'
import type { Runtime } from './runtime.ts'

/**
 * The run is the quorum's decision: it waits for the votes, and ends completed with `{decision,
 * votes}` where they approve, else abandoned with the reason `rejected` or `expired`. The rendered
 * prompt is what is asked.
 */
export const humanApproval: Runtime = async ({ run, task, ports }) => {
  const { quorum } = task
  if (!quorum) {
    const message = 'The task has the runtime "human_approval" and no quorum that could decide.'
    throw new RunFailure('quorum_missing', message)
  }
  const rendered = render(task.prompt, run.input, variablesOf(task, run))
  const terms = {
    kind: 'quorum',
    prompt: rendered || `Do you agree to "${task.name}"?`,
    approvers: quorum.approver_agent_ids,
    needed: quorum.min_approvals,
    requirePerson: quorum.require_person === true,
    allowEdit: quorum.allow_edit === true,
    timeoutSeconds: quorum.timeout_seconds,
    fallbackAgentId: quorum.fallback_agent_id,
    onReject: 'abandon',
  } as const
  return approvalParking(ports, run, task, terms, ports.clock.now())
}
