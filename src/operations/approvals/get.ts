import * as z from 'zod'
import { seenApproval, votersHere } from '#src/runs/approvals/access.ts'
import { Approval, publicApproval } from '#src/runs/approvals/approval.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'approvals.get',
  summary: 'Read one approval: the question, its approvers, and the votes.',
  example: { approval_id: 'apr_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/approvals/{approval_id}' },
  toolsets: ['runs'],
  view: 'approvals',
  role: 'read_approval',
  input: z.strictObject({ approval_id: z.string().max(128) }),
  output: Approval,
  refuses: ['approval_not_found', 'forbidden'],

  async run({ approval_id }, context) {
    const approval = await seenApproval(context, approval_id)
    return { ...publicApproval(approval), yours: votersHere(context, approval) }
  },
})
