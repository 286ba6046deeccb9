import * as z from 'zod'
import {
  alreadyClaimed,
  claimRejected,
  claimWith,
  mustBeOpen,
  unknownToken,
} from '#src/accounts/claim-link.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { newApiKey } from '#src/accounts/account.ts'
import { connections, Connections } from '#src/accounts/connections.ts'
import { noticeTo } from '#src/accounts/notice.ts'
import { mustNotBeSuspended } from '#src/core/authorization/suspended.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'

export const recover = operation({
  name: 'agent_claim.recover',
  summary: 'Get a new key of an unclaimed account for its claim token, where the old one is lost.',
  description:
    'For an account whose keys are revoked. The keys that it has go on working, and ' +
    'agent_claim.status does not give the new one back. Once a person holds the account, they make its keys.',
  example: { claim_token: 'act_00000000000000000000000000000000000000' },
  auth: 'none',
  http: { method: 'POST', path: '/api/agent-claim/recover', status: 201 },
  toolsets: ['account'],
  input: z.strictObject({
    claim_token: z.string().max(200).describe('token of agent_claim.create.'),
  }),
  output: z.object({
    id: z.string().describe('The id of the key.'),
    api_key: z.string().describe('Shown once.'),
    connect: Connections,
  }),
  refuses: ['claim_not_found', 'already_claimed', 'claim_rejected', 'write_conflict'],
  limits: ['agent_claim', 'agent_claim_all'],
  secret: true,

  run({ claim_token }, context) {
    const { store, clock, settings } = context
    return retryUnmet(async () => {
      const claim = await claimWith(store, claim_token)
      const account = claim && (await store.accounts.get(claim.account_id))
      if (!account) return unknownToken()
      if (claim.status === 'rejected') return claimRejected()
      if (account.holder_id !== null) {
        return alreadyClaimed(
          `The person who holds it makes a new key at ${settings.publicUrl}/settings.`,
        )
      }
      mustNotBeSuspended(account, context.settings)
      mustBeOpen(account)
      const now = clock.now()
      const key = newApiKey(account, 'Recovered key', null, now)
      const connect = connections(settings.publicUrl, key.raw)
      // Of a claim, a closing and this at once only one finds the account as it was read.
      const asRead = { id: account.id, holder_id: null, closed_at: null }
      const { id } = key.record
      const writes: Write[] = [
        { in: 'accounts', update: asRead, change: { $set: { recovered_at: timestamp(now) } } },
        { in: 'api_keys', insert: key.record },
        noticeTo(account.id, 'key.recovered', recovered(key.record.key), {}, now),
      ]
      // Who has the claim token has no other name than that of the key that it gives.
      const caller = { keyId: id, personId: undefined, accountId: account.id }
      const note = { operation: 'agent_claim.recover', about: { key_id: id } }
      const made = { id, api_key: key.raw, connect }
      return commitAudited({ ...context, caller }, made, writes, note)
    })
  },
})

function recovered(masked: string): string {
  return (
    `The claim token was used for the new key ${masked}. ` +
    'If that was not you, revoke the key, and have a person claim the account: the token gives no key then.'
  )
}
