import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import type { AuditNote } from '#src/accounts/audit/record.ts'
import { Approval, type Vote } from '#src/runs/approvals/approval.ts'
import { isEdited } from '#src/runs/approvals/edit.ts'
import { cast, tell, type Cast } from '#src/runs/approvals/decide.ts'
import { operation } from '#src/core/operation.ts'
import { contended, isOvertaken } from '#src/core/revision.ts'

/** Each failed try means that another member voted meanwhile. */
const tries = 100

export const decide = operation({
  name: 'approvals.decide',
  summary: 'Approve or reject what is pending, as one of its approvers.',
  description:
    'A vote may be changed until enough are in. An approved run continues as follow_up_run_id. ' +
    'as_char_id may be left out if only one approver is yours. Of kind secret_origin only the ' +
    "account's own key or a signed-in person decides. Where require_person is true, no key does, but a person at its " +
    'url. Where allow_edit is true, an approval may have edited_input: the run goes on with that once enough have ' +
    'approved the same. A new change drops the votes for the one before.',
  use: 'An approved run goes on as follow_up_run_id.',
  aliases: ['approve', 'reject'],
  example: {
    approval_id: 'apr_01a1fe241d3975cf83926a5fa84be463',
    decision: 'approve',
    reason: 'Checked',
  },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'approve',
  http: { method: 'POST', path: '/api/approvals/{approval_id}/decision' },
  toolsets: ['core', 'runs'],
  role: 'decide_approval',
  input: z.strictObject({
    approval_id: z.string().max(128),
    decision: z.enum(['approve', 'reject']),
    reason: z.string().max(2000).nullish(),
    as_char_id: z.string().max(128).optional(),
    edited_input: z.json().optional().describe('Where allow_edit: go on with it instead.'),
  }),
  output: Approval,
  refuses: [
    'approval_not_found',
    'forbidden',
    'owner_only',
    'character_not_found',
    'person_needed',
    'approval_decided',
    'approval_stale',
    'edit_not_allowed',
    'write_conflict',
  ],
  destructive: true,

  async run({ approval_id, decision, reason = null, as_char_id, edited_input }, context) {
    const ballot = { approval_id, decision, reason, as_char_id, edited_input }
    for (let i = 0; i < tries; i++) {
      try {
        const vote = await cast(context, ballot)
        const note = noteOf(vote, decision)
        const options = { bytes: vote.bytes ?? 0 }
        const answer = await commitAudited(context, vote.approval, vote.writes, note, options)
        await tell(context, vote)
        return answer
      } catch (cause) {
        if (!isOvertaken(cause)) throw cause
      }
    }
    return contended('Others kept voting on the same approval.')
  },
})

/** What is recorded of a vote that counts: one that was cast before is none. */
function noteOf(
  { approval, ownerId, writes }: Cast,
  decision: Vote['decision'],
): AuditNote | undefined {
  if (writes.length === 0) return undefined
  const { id: approval_id, char_id, task_id, run_id, kind } = approval
  const isEdit = isEdited(approval.votes)
  const about = { approval_id, char_id, task_id, run_id, kind }
  const changed = isEdit ? [decision, 'edited_input'] : [decision]
  return { operation: 'approvals.decide', about, changed, accountId: ownerId }
}
