import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { mustBeReachable, newSecret } from '#src/events/outbox/receiver.ts'
import { callsEnded } from '#src/runs/told/call.ts'
import { rolesIn } from '#src/runs/told/gather.ts'
import {
  chosenWrite,
  newsSeal,
  NewsWebhook,
  settingsId,
  settingsOf,
} from '#src/runs/told/settings.ts'

export const set = operation({
  name: 'notifications.webhook.set',
  summary: 'Have what the signed-in person is told of the account sent to an address.',
  description:
    'Each call is a POST of {id, type, timestamp, api_version, data} with counts and links, signed with the secret that ' +
    'only this answer shows: X-Service-Signature is the HMAC-SHA256 of the body in hex, and the headers of Standard ' +
    'Webhooks come too. What is not answered with 2xx is tried again for a day; then, or at 410, the webhook is disabled. ' +
    'Setting it again makes another secret and enables it.',
  example: { url: 'https://example.com/told' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'PUT', path: '/api/account/notifications/webhook' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ url: z.string().min(1).max(2048) }),
  output: NewsWebhook.extend({ secret: z.string().describe('Shown once.') }),
  refuses: ['person_needed', 'write_conflict'],
  secret: true,
  reachesOut: true,

  run({ url }, context) {
    const { store, caller, clock, sealer, sender } = context
    mustBeReachable(sender, url)
    const { accountId: account_id, personId: person_id } = caller
    const id = settingsId(account_id, person_id)
    const secret = newSecret()
    return retryUnmet(async () => {
      const [roles, kept] = await Promise.all([
        rolesIn(store, account_id),
        store.notification_settings.get(id),
      ])
      const webhook = { url, state: 'active' } as const
      const before = settingsOf(kept, roles.get(person_id))
      const sealed_secret = sealer.seal(secret, newsSeal(id))
      const theirs = { ...before, id, account_id, person_id, webhook, sealed_secret }
      const writes = [chosenWrite(kept, theirs, clock.now()), callsEnded(account_id, person_id)]
      const note = { operation: 'notifications.webhook.set', about: {}, changed: ['webhook'] }
      return commitAudited(context, { ...webhook, secret }, writes, note)
    })
  },
})
