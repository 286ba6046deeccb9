import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { serverKey } from '#src/events/browsers/server-key.ts'
import { shownBrowser, SubscribedBrowser } from '#src/events/browsers/subscription.ts'
import { browsersOf } from '#src/runs/told/push.ts'

export const list = operation({
  name: 'notifications.push.list',
  summary:
    'List the browsers by which the signed-in person is told, with what another one is subscribed with.',
  description: 'Neither the whole address of a browser nor its keys are shown.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'GET', path: '/api/account/notifications/push' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({
    items: z.array(SubscribedBrowser).describe('The oldest first.'),
    application_server_key: z
      .string()
      .describe('The public key of this server, for `pushManager.subscribe`.'),
  }),
  refuses: ['person_needed'],

  async run(_, context) {
    const { store, caller } = context
    const [browsers, { publicKey }] = await Promise.all([
      browsersOf(store, caller.personId),
      serverKey(context),
    ])
    return { items: browsers.map(shownBrowser), application_server_key: publicKey }
  },
})
