import * as z from 'zod'
import { Actor } from '#src/core/credentials/actor.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Referring } from '#src/core/large/sizes.ts'
import { inPlaceSize } from '#src/core/large/value.ts'
import { marks, type Source } from '#src/core/text/untrusted.ts'

export const approvalStates = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const
/** The state of an approval. */
export type ApprovalState = (typeof approvalStates)[number]

export const Vote = z.object({
  by: z.string().describe('The agent that voted; of kind secret_origin the account.'),
  decided_by: Actor.optional().describe(
    'Who voted as it. Missing on votes of before this was kept.',
  ),
  decision: z.enum(['approve', 'reject']),
  edited: z.literal(true).optional().describe('It approves edited_input, not the input as asked.'),
  reason: z.string().nullable(),
  at: z.string(),
})
/** What one approver said. */
export type Vote = z.infer<typeof Vote>

export const approvalKinds = ['gate', 'quorum', 'request', 'secret_origin', 'tool'] as const

export const Approval = z
  .object({
    id: z.string(),
    kind: z
      .enum(approvalKinds)
      .describe(
        'gate: whether the task starts; quorum: the whole run; request: asked midway; secret_origin: ' +
          'whether secrets may be sent somewhere, which only the owner decides; tool: one call of a tool, which ' +
          'a person decides.',
      ),
    run_id: z.string(),
    char_id: z.string(),
    task_id: z.string(),
    prompt: z.string().describe('What is asked.'),
    input: z.unknown().describe('The input of the run that waits.'),
    ...marks,
    state: z.enum(approvalStates),
    approvers: z.array(z.string()),
    yours: z
      .array(z.string())
      .optional()
      .describe('Of one that is read by its id: the agents as which the caller may vote.'),
    secret_origins: z
      .array(z.object({ secret: z.string(), origin: z.string() }))
      .optional()
      .describe('Of kind secret_origin: which secret would go where.'),
    tool_call: z
      .object({ tool: z.string(), arguments: z.unknown() })
      .optional()
      .describe('Of kind tool: the call that is made, once, if it is approved.'),
    needed: z.int().describe('How many must approve; of persons, how many different ones.'),
    require_person: z
      .boolean()
      .optional()
      .describe(
        'Only a signed-in owner or approver of an account that is asked decides, and no key.',
      ),
    allow_edit: z.boolean().optional().describe('An approval may change the input.'),
    edited_input: z
      .unknown()
      .optional()
      .describe('The change that is proposed; of an approved one, what the run goes on with.'),
    edited_by: Actor.optional().describe('Who proposed it.'),
    url: z.string().optional().describe('The page on which a person decides it.'),
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

/** An approval as stored. */
export interface StoredApproval
  extends Omit<Approval, 'yours'>, Referring<'input' | 'edited_input'> {
  /** The account of the agent whose run waits. */
  owner_id: string
  /** SHA-256 of what was asked, to which every approving vote is bound; once approved, of what was approved. */
  fingerprint: string
  /** The fingerprint of what would run with `edited_input`, and where that came from if from another account. */
  edit?: { fingerprint: string; source?: Source }
  /** Of kind tool: the run that has begun to make the call, which no other does. */
  made?: { run_id: string; at: string }
  on_reject: 'abandon' | 'notify_only'
  /** The account of each approver, in their order: an id may belong to another account later. */
  approver_owners: string[]
  /** The fallback agent was asked, and its vote decides. */
  fell_back: boolean
  /** The account of the fallback agent; null if no agent with this id could approve when it was opened. */
  fallback_owner_id: string | null
  /** Counts the changes: a change is bound to the count that was read. */
  ballot: number
  /** When its time is up, or it is to be checked again; null once it is decided. */
  due_at: string | null
  /** The other account that caused its run, if any. */
  sender?: string
  /** Large inputs of it are kept apart and counted there; missing in those of before, which hold a copy. */
  is_parted?: true
}

/** An open approval as it was read, for the filter of a change. */
export function asRead({ id, ballot }: Pick<StoredApproval, 'id' | 'ballot'>) {
  return { id, state: 'pending', ballot } as const
}

/** How long an approval is kept after it was decided. */
export const approvalDays = 90

/** The bytes that an approval counts: its question, and the input of its run unless that is kept apart. */
export function approvalBytes({
  prompt,
  input,
  edited_input,
  tool_call,
  is_parted,
}: Pick<StoredApproval, 'prompt' | 'input' | 'edited_input' | 'tool_call' | 'is_parted'>): number {
  const sized = is_parted ? inPlaceSize : sizeOf
  return sizeOf(prompt, tool_call) + sized(input, edited_input)
}

/** The approval as the wire shows it. */
export function publicApproval(approval: StoredApproval): Approval {
  const {
    owner_id: _owner,
    fingerprint: _fingerprint,
    on_reject: _onReject,
    approver_owners: _owners,
    fell_back: _fellBack,
    fallback_owner_id: _fallbackOwner,
    ballot: _ballot,
    due_at: _due,
    sender: _sender,
    edit: _edit,
    made: _made,
    is_parted: _isParted,
    ...shown
  } = approval
  return shown
}
