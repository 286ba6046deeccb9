import * as z from 'zod'

export const approvalStates = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const
/** How an approval stands. */
export type ApprovalState = (typeof approvalStates)[number]

export const Vote = z.object({
  by: z.string().describe('The agent that voted.'),
  decision: z.enum(['approve', 'reject']),
  reason: z.string().nullable(),
  at: z.string(),
})
/** What one approver said. */
export type Vote = z.infer<typeof Vote>

export const Approval = z
  .object({
    id: z.string(),
    run_id: z.string(),
    char_id: z.string(),
    task_id: z.string(),
    prompt: z.string().describe('What is asked.'),
    input: z.unknown().describe('The input of the run that waits.'),
    state: z.enum(approvalStates),
    approvers: z.array(z.string()),
    needed: z.int().describe('How many must approve.'),
    votes: z.array(Vote),
    expires_at: z.string().nullable(),
    fallback_agent_id: z.string().nullable(),
    created_at: z.string(),
    decided_at: z.string().nullable(),
  })
  .meta({ id: 'Approval' })
/** A question that agents decide before a run goes on, as the wire shows it. */
export type Approval = z.infer<typeof Approval>

/** An approval at rest. */
export interface StoredApproval extends Approval {
  /** The account of the agent whose run waits. */
  owner_id: string
  /** What is decided by it: whether the task starts, the quorum that is the run, or the run's own question. */
  kind: 'gate' | 'quorum' | 'request'
  /** SHA-256 of what was asked, which every vote is bound to. */
  fingerprint: string
  on_reject: 'abandon' | 'notify_only'
  /** The fallback agent was asked, and its vote decides. */
  fell_back: boolean
  /** When its time is up; null without a limit and once it is decided. */
  due_at: string | null
}
