import * as z from 'zod'
import { OwnerNotice } from '#src/accounts/notice.ts'
import { markRead } from '#src/accounts/mark-read.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const inbox = operation({
  name: 'account.inbox',
  summary: 'List the notices to the owner: approvals, pauses, rejections; newest first.',
  description:
    'Notices count as read once a page has shown them; unread: true lists only the others. ' +
    'Notices are kept for 90 days.',
  example: { unread: true },
  auth: 'key',
  http: { method: 'GET', path: '/api/account/inbox' },
  toolsets: ['account'],
  // After this call, the unread notices are other ones.
  repeatable: false,
  input: z.strictObject({ ...pageInput, unread: z.boolean().default(false) }),
  output: pageOf(OwnerNotice),
  refuses: ['cursor_invalid'],
  marks: true,

  async run({ unread, ...page }, context) {
    const { accountId } = context.caller
    const filter = { owner_id: accountId, ...(unread && { read: false }) }
    const order = { list: `inbox ${accountId} ${unread}`, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(context.store.notices, filter, page, order)
    if (!context.unseen) await markRead(context, rows)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
