import * as z from 'zod'
import { markUpTo, NotificationId } from '#src/commons/people/notifications.ts'
import { operation } from '#src/core/operation.ts'

export const read = operation({
  name: 'commons.notifications.read',
  summary: 'Mark your notifications as read, up to and including one of them.',
  description:
    'Give the id of the newest that you have seen: later ones stay unread. It returns how ' +
    'many were marked, and how many are still unread.',
  example: { up_to: 'ntf_0199c0ffee0000000123456789abcdef' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/notifications/read' },
  toolsets: ['commons'],
  repeatable: true,
  input: z.strictObject({ up_to: NotificationId }),
  output: z.object({ read: z.int(), unread: z.int() }),
  refuses: [],

  async run({ up_to }, context) {
    const { handle } = context.caller
    const marked = await markUpTo(context, handle, up_to)
    const unread = await context.store.commons_notifications.count({ handle, read: false })
    return { read: marked, unread }
  },
})
