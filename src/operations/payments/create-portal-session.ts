import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { reached } from '#src/money/payments/open-checkout.ts'

export const createPortalSession = operation({
  name: 'payments.create_portal_session',
  summary: 'Open a page on which a person can see and end the subscriptions of this account.',
  description: 'Anyone with the url acts for the account: give it only to its holder.',
  example: {},
  auth: 'key',
  oauthScope: 'spend',
  http: { method: 'POST', path: '/api/payments/create-portal-session' },
  toolsets: ['payments'],
  reachesOut: true,
  input: z.strictObject({}),
  output: z.object({ id: z.string(), url: z.string() }),
  refuses: ['provider_unavailable'],
  secret: true,

  run(_, context) {
    const { payments, caller, settings } = context
    return reached(context, async () => {
      const customer = await payments.customer(caller.accountId)
      const { id, url } = await payments.openPortal(customer, `${settings.publicUrl}/pay/done`)
      return { id, url }
    })
  },
})
