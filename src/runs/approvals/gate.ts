import type { Ports } from '#src/core/context.ts'
import type { Store } from '#src/ports/store.ts'
import { failedOutcome } from '../ending/instant.ts'
import type { Outcome } from '../ended.ts'
import type { Parking } from '../ending/park.ts'
import type { StoredRun } from '../run.ts'
import { render, variablesOf } from '../template.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { StoredApproval } from './approval.ts'
import { isAsAsked } from './question.ts'
import { approvalParking } from './open.ts'

/**
 * What holds a run at its task's approval gate: the approval that it waits for, or the run's end if no
 * one could give it. Undefined if the run may start: the task has no gate, or the run continues after an
 * approval of exactly what it would do.
 */
export async function heldAtGate(
  ports: Pick<Ports, 'store' | 'clock' | 'settings'>,
  run: StoredRun,
  task: StoredTask,
): Promise<Parking | Outcome | undefined> {
  const gate = task.approval_gate
  if (!gate?.requires_approval) return undefined
  if (await approvalBehind(ports.store, run, task)) return undefined
  try {
    const terms = {
      kind: 'gate',
      prompt: asked(gate.approval_prompt, run, task),
      approvers: gate.approvers,
      needed: gate.min_approvals,
      requirePerson: gate.require_person === true,
      allowEdit: gate.allow_edit === true,
      timeoutSeconds: gate.timeout_seconds,
      fallbackAgentId: null,
      onReject: gate.on_reject,
    } as const
    return await approvalParking(ports, run, task, terms, ports.clock.now())
  } catch (cause) {
    return failedOutcome(cause)
  }
}

/**
 * What the approvers read, filled in like any prompt.
 * @throws RunFailure naming what is missing: no one approves what they cannot read
 */
function asked(template: string, run: StoredRun, task: StoredTask): string {
  const text = render(template, run.input, variablesOf(task, run), {
    called: 'approval_gate.approval_prompt',
  })
  return text || `May "${run.char_id}" run its task "${task.name}"?`
}

/**
 * The approval after which a follow-up run continues, with its votes. Undefined if the run follows
 * none, or if its task was changed so that something else would run than was approved.
 */
export async function approvalBehind(
  store: Pick<Store, 'runs' | 'approvals'>,
  run: StoredRun,
  task: StoredTask,
): Promise<StoredApproval | undefined> {
  if (run.resumed_from === null) return undefined
  const paused = await store.runs.get(run.resumed_from)
  if (!paused?.approval_id) return undefined
  const approval = await store.approvals.get(paused.approval_id)
  const isItsOwn = approval?.state === 'approved' && approval.follow_up_run_id === run.id
  return isItsOwn && isAsAsked(approval, run, task) ? approval : undefined
}
