import * as z from 'zod'
import { optionalText, texts, textsAtMost } from '#src/core/schema-parts.ts'

const timeout = z.int().min(1).nullable().default(null)
const atLeastOne = z.int().min(1)
const requirePerson = z.boolean().optional().describe('Only a signed-in person decides, and no key')

const allowEdit = z.boolean().optional().describe('Who approves may change the input')

export const ApprovalGate = z
  .looseObject({
    requires_approval: z.boolean().default(false),
    approval_prompt: z.string().default('').describe('Filled in like the prompt of the task'),
    approvers: texts.describe('Agent ids; empty: the owning agent'),
    min_approvals: atLeastOne.default(1),
    timeout_seconds: timeout,
    on_reject: z.enum(['abandon', 'notify_only']).default('abandon'),
    require_person: requirePerson,
    allow_edit: allowEdit,
  })
  .superRefine((gate, context) => {
    unreachable(gate.min_approvals, gate.approvers, context)
  })
  .meta({ id: 'ApprovalGateDef' })
/** Who must agree before a run of the task starts. */
export type ApprovalGate = z.infer<typeof ApprovalGate>

export const Quorum = z
  .looseObject({
    min_approvals: atLeastOne,
    approver_agent_ids: z.array(z.string()).min(1).max(textsAtMost),
    timeout_seconds: timeout,
    fallback_agent_id: optionalText,
    require_person: requirePerson,
    allow_edit: allowEdit,
  })
  .superRefine((quorum, context) => {
    unreachable(quorum.min_approvals, quorum.approver_agent_ids, context)
  })
  .meta({ id: 'QuorumConfigDef' })
/** Whose votes a task of the runtime human_approval gathers. */
export type Quorum = z.infer<typeof Quorum>

/**
 * Whether a run waits for an approval before it starts. A run that continues after an approval is
 * checked again when a worker takes it.
 */
export function isGated(
  run: { resumed_from: string | null },
  task: { approval_gate: ApprovalGate | null },
): boolean {
  return task.approval_gate?.requires_approval === true && run.resumed_from === null
}

/** Each approver has one vote; if none is named, the owning agent is the only approver. */
function unreachable(needed: number, approvers: string[], context: z.RefinementCtx): void {
  const votes = Math.max(1, new Set(approvers).size)
  if (needed <= votes) return
  context.addIssue({
    code: 'custom',
    path: ['min_approvals'],
    message: `asks for ${needed} approvals of ${votes} ${votes === 1 ? 'approver' : 'approvers'}`,
    params: { code: 'approval_unreachable' },
  })
}
