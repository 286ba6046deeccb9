import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { Unmet } from '#src/ports/store.ts'
import { wayNames } from '#src/runs/told/settings.ts'
import { testOf } from '#src/runs/told/test.ts'

export const test = operation({
  name: 'notifications.test',
  summary:
    'Send the signed-in person a test by mail, webhook or push at once, and say how it went.',
  description:
    'It is sent without regard to what is chosen, in quiet hours too, once, and is not tried again. A push goes to ' +
    'each subscribed browser; one whose push service knows it no more is removed. That a mail server or push ' +
    'service has taken it is not yet its arrival.',
  example: { way: 'push' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/account/notifications/test' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ way: z.enum(wayNames) }),
  output: z.object({
    way: z.enum(wayNames),
    sent: z.boolean().describe('Whether at least one place has taken it.'),
    lacking: z.string().optional().describe('Why nothing was tried.'),
    tried: z.array(
      z.object({
        to: z.string().describe('The e-mail address, the webhook, or the name of the browser.'),
        status: z.int().nullable().describe('Of the HTTP answer, if there was one.'),
        error: z.string().nullable().describe('Why it was not taken; null if it was.'),
      }),
    ),
  }),
  refuses: ['person_needed'],
  limits: ['notification_tests'],
  reachesOut: true,

  async run({ way }, context) {
    const { accountId: account_id, personId: person_id } = context.caller
    const { tried, lacking, writes } = await testOf(context, way, { account_id, person_id })
    const sent = tried.some(({ error }) => error === null)
    const answer = { way, sent, ...(lacking !== undefined && { lacking }), tried }
    return context.commit(answer, writes).catch((cause: unknown) => {
      // A browser was removed meanwhile: how the others went is known still.
      if (!(cause instanceof Unmet)) throw cause
      return context.commit(answer, [])
    })
  },
})
