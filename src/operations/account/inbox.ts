import * as z from 'zod'
import { isOpenNotice, OwnerNotice } from '#src/accounts/notice.ts'
import { markRead } from '#src/accounts/mark-read.ts'
import { noticePage } from '#src/accounts/notice-page.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf } from '#src/core/page.ts'
import { withResolved } from '#src/runs/notices/resolved.ts'

export const inbox = operation({
  name: 'account.inbox',
  summary: 'List the notices to the owner: approvals, failed runs, pauses; newest first.',
  description:
    'A notice counts as read once a page has shown it to this key or person; unread: true lists ' +
    'only the others. What fails, waits or is skipped again and again is one notice a task and ' +
    'hour, with a count. next says what to call, and resolved_at since when the cause is gone; ' +
    'open: true lists those that wait for someone while it is not. ' +
    'Notices are kept for 90 days.',
  example: { unread: true },
  auth: 'key',
  http: { method: 'GET', path: '/api/account/inbox' },
  toolsets: ['account'],
  // After this call, the unread notices are other ones.
  repeatable: false,
  input: z.strictObject({
    ...pageInput,
    unread: z.boolean().default(false),
    open: z.boolean().default(false),
  }),
  output: pageOf(OwnerNotice),
  refuses: ['cursor_invalid'],
  says: ['items'],
  marks: true,

  async run({ unread, open, ...page }, context) {
    const { accountId } = context.caller
    const reader = context.caller.personId ?? context.caller.keyId
    const { notices, next } = await noticePage(context.store, accountId, reader, page, {
      unread,
      open,
    })
    const shown = await withResolved(
      context,
      accountId,
      notices.map((one) => one.shown),
    )
    const fresh = notices.filter(({ shown: { read } }) => !read)
    if (!context.unseen) await markRead(context, reader, fresh)
    // That a cause is gone is found out as its notice is read.
    const wanted = open ? shown.filter(isOpenNotice) : shown
    return pageAnswer(
      wanted.map((one) => JSON.stringify(one)),
      next,
    )
  },
})
