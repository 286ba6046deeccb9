import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { rolesIn } from '#src/runs/told/gather.ts'
import { kindNames } from '#src/runs/told/kinds.ts'
import { chosenWrite, settingsId, settingsOf } from '#src/runs/told/settings.ts'
import { endedBy, toldBy, unsubscribeCodeAtMost } from '#src/runs/told/unsubscribe.ts'

export const unsubscribe = operation({
  name: 'notifications.unsubscribe',
  summary: 'End the mails of what happens in an account, by the link that each has.',
  description:
    'The code is the end of the link. It works without signing in, as often as it is sent, and with the same answer for ' +
    'who has left or ended them before. Without all it ends the kinds that the mail told of. notifications.update begins ' +
    'them again.',
  example: { code: 'Zm9yLXRoaXMtbWFpbC1hbG9uZQ' },
  auth: 'none',
  http: { method: 'POST', path: '/api/notifications/unsubscribe' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    code: z.string().max(unsubscribeCodeAtMost),
    all: z.boolean().default(false).describe('Whether every kind ends.'),
  }),
  output: z.object({ kinds: z.array(z.enum(kindNames)).describe('Of what no mail tells now.') }),
  refuses: ['link_unusable', 'write_conflict'],

  run({ code, all }, { store, clock, sealer, commit }) {
    const told = toldBy({ sealer }, code)
    const { account_id, person_id } = told
    const ended = endedBy(told, all)
    const id = settingsId(account_id, person_id)
    return retryUnmet(async () => {
      const [roles, kept] = await Promise.all([
        rolesIn(store, account_id),
        store.notification_settings.get(id),
      ])
      const role = roles.get(person_id)
      // Who is no member is told nothing, and the answer does not say so.
      if (role === undefined) return commit({ kinds: ended }, [])
      const before = settingsOf(kept, role)
      const kinds = { ...before.kinds }
      for (const kind of ended) kinds[kind] = { ...kinds[kind], mail: false }
      const theirs = { ...kept, ...before, id, account_id, person_id, kinds }
      return commit({ kinds: ended }, [chosenWrite(kept, theirs, clock.now())])
    })
  },
})
