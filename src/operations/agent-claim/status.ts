import * as z from 'zod'
import { claimWith, unknownToken } from '#src/accounts/claim-link.ts'
import { mustNotBeSuspended } from '#src/core/authorization/suspended.ts'
import { operation } from '#src/core/operation.ts'
import { sealer } from '#src/core/seal.ts'

export const status = operation({
  name: 'agent_claim.status',
  summary: 'Read whether a person has claimed the account, and get its key back.',
  description: 'Anyone who holds the token gets the key: protect it like the key itself.',
  example: { token: 'act_00000000000000000000000000000000000000' },
  auth: 'none',
  // It gives a key.
  oauthScope: 'write',
  http: { method: 'GET', path: '/api/agent-claim/status' },
  toolsets: ['account'],
  input: z.strictObject({ token: z.string().max(200).describe('token of agent_claim.create.') }),
  output: z.object({
    status: z.enum(['active', 'claimed']),
    api_key: z.string(),
    owner_id: z.string().optional().describe('The person, once it is claimed.'),
  }),
  refuses: ['claim_not_found'],
  secret: true,

  async run({ token }, { store, settings }) {
    const claim = await claimWith(store, token)
    if (!claim?.sealed_key || claim.status === 'rejected') return unknownToken()
    const account = await store.accounts.get(claim.account_id)
    // What the token gives would be refused: it is no way around the operator, or back into a closed account.
    if (account?.closed_at !== undefined) return unknownToken()
    mustNotBeSuspended(account, settings)
    const api_key = sealer(token).open(claim.sealed_key, { id: claim.id, purpose: 'claim' })
    const owner = account?.holder_id ? { owner_id: account.holder_id } : {}
    return { status: claim.status, api_key, ...owner }
  },
})
