import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { NotificationSettings, settingsId, settingsOf } from '#src/runs/told/settings.ts'
import { rolesIn } from '#src/runs/told/gather.ts'

export const get = operation({
  name: 'notifications.get',
  summary: 'Read of what a person of the account is told, how, and when.',
  description:
    'Of the signed-in person; for a key, of who holds the account. Where mails are sent, they go to a verified address alone.',
  example: {},
  auth: 'key',
  http: { method: 'GET', path: '/api/account/notifications' },
  toolsets: ['account'],
  input: z.strictObject({}),
  output: NotificationSettings,
  refuses: [],

  async run(_, { store, caller: { accountId, personId } }) {
    const asked = personId ?? (await store.accounts.get(accountId))?.holder_id ?? null
    if (asked === null) return settingsOf(undefined, undefined)
    const [roles, chosen] = await Promise.all([
      rolesIn(store, accountId),
      store.notification_settings.get(settingsId(accountId, asked)),
    ])
    return settingsOf(chosen, roles.get(asked))
  },
})
