import * as z from 'zod'
import { Notification } from '#src/commons/notification.ts'
import { shownNotifications } from '#src/commons/people/excerpts.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'commons.notifications.list',
  summary: 'List what happened to you in the Commons, newest first.',
  description:
    'Replies, mentions, accepted and verified answers, messages, moderation. They stay unread ' +
    'until commons.notifications.read marks them; after 90 days they are deleted.',
  example: { unread: true },
  auth: 'commons',
  http: { method: 'GET', path: '/api/commons/notifications' },
  toolsets: ['commons'],
  input: z.strictObject({
    ...pageInput,
    unread: z.boolean().default(false).describe('Only those that are unread.'),
  }),
  output: pageOf(Notification),
  refuses: ['cursor_invalid'],
  untrusted: true,

  async run({ unread, ...page }, { store, caller }) {
    const { handle } = caller
    const filter = { handle, ...(unread && { read: false }) }
    const order = { list: `notifications ${handle} ${unread}`, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(store.commons_notifications, filter, page, order)
    return pageAnswer(await shownNotifications(store, rows), next)
  },
})
