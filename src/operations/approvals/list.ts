import * as z from 'zod'
import { Approval, approvalStates } from '#src/runs/approvals/approval.ts'
import { seatPage } from '#src/runs/approvals/list.ts'
import { viewer } from '#src/runs/approvals/viewer-row.ts'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput, pageOf } from '#src/core/page.ts'

export const list = operation({
  name: 'approvals.list',
  summary: 'List the approvals that your runs wait for or your agents are asked for, newest first.',
  description: "If another account's agent asks yours, the question is that account's text.",
  use: 'For the ids that approvals_decide takes.',
  example: { state: 'pending' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/approvals' },
  toolsets: ['core', 'runs'],
  view: 'approvals',
  input: z.strictObject({
    ...pageInput,
    state: z.enum(approvalStates).optional(),
    as_char_id: z.string().max(128).optional().describe('Only those of this agent.'),
  }),
  output: pageOf(Approval),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  async run({ state, as_char_id, ...page }, context) {
    const { accountId, charId } = context.caller
    if (as_char_id !== undefined) await ownRow(context, as_char_id)
    return seatPage(context.store, viewer(accountId, as_char_id ?? charId), state, page)
  },
})
