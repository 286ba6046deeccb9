import * as z from 'zod'
import { sizeOf } from '#src/core/counts/quotas.ts'

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
    follow_up_run_id: z
      .string()
      .nullable()
      .describe('The run that goes on where the approved one had paused.'),
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
  /** SHA-256 of what was asked, which every vote for it is bound to. */
  fingerprint: string
  on_reject: 'abandon' | 'notify_only'
  /** Of each approver, in their order, the account: an id may be another account's agent later. */
  approver_owners: string[]
  /** The fallback agent was asked, and its vote decides. */
  fell_back: boolean
  /** The account of the fallback agent; null where no agent that may approve it had the id when it was opened. */
  fallback_owner_id: string | null
  /** Counts the changes: whoever changes it names the count that was read. */
  ballot: number
  /** When its time is up, or it is to be looked at again; null once it is decided. */
  due_at: string | null
  /** Who has left its run with the account, where that is somebody else. */
  sender?: string
}

/** An open approval as it was read, for the filter of whoever changes it. */
export function asRead({ id, ballot }: Pick<StoredApproval, 'id' | 'ballot'>) {
  return { id, state: 'pending', ballot } as const
}

/** How long an approval is kept after it was decided. */
export const approvalDays = 90

/** What an approval counts: its question, and its copy of the run's input. */
export function approvalBytes({ prompt, input }: Pick<Approval, 'prompt' | 'input'>): number {
  return sizeOf(prompt, input)
}

/** The approval as the wire shows it. */
export function publicApproval(approval: StoredApproval): Approval {
  const {
    owner_id: _owner,
    kind: _kind,
    fingerprint: _fingerprint,
    on_reject: _onReject,
    approver_owners: _owners,
    fell_back: _fellBack,
    fallback_owner_id: _fallbackOwner,
    ballot: _ballot,
    due_at: _due,
    sender: _sender,
    ...shown
  } = approval
  return shown
}
