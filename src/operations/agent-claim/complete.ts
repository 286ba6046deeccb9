import * as z from 'zod'
import {
  alreadyClaimed,
  claimRejected,
  linked,
  mustBeInTime,
  mustBeOpen,
} from '#src/accounts/claim-link.ts'
import type { Write } from '#src/ports/store.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { mustNotBeSuspended } from '#src/core/authorization/suspended.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'

export const complete = operation({
  name: 'agent_claim.complete',
  summary: 'Take over the account of a claim link, as the signed-in person.',
  description:
    'The code is the end of claim_url. The keys of the account keep working, and its quotas ' +
    'become larger. A person who has already claimed it gets the same answer again.',
  example: { claim_code: 'act_00000000000000000000000000000000000000' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/agent-claim/complete' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ claim_code: z.string().max(200) }),
  output: z.object({
    status: z.literal('claimed'),
    owner_id: z.string().describe('The person.'),
  }),
  refuses: [
    'person_needed',
    'claim_not_found',
    'claim_expired',
    'claim_rejected',
    'already_claimed',
    'write_conflict',
  ],

  async run({ claim_code }, context) {
    const { store, caller, clock, forgetCallers } = context
    const { personId } = caller
    const claimed = { status: 'claimed', owner_id: personId } as const
    const answer = await retryUnmet(async () => {
      const { claim, account } = await linked(store, claim_code)
      if (account.holder_id === personId) return claimed
      if (account.holder_id !== null) return alreadyClaimed()
      if (claim.status === 'rejected') return claimRejected()
      mustNotBeSuspended(account, context.settings)
      mustBeOpen(account)
      const now = clock.now()
      mustBeInTime(claim, now)
      const decided = { decided_by: personId, decided_at: timestamp(now) }
      // If two people claim it at once, one finds the other's name here, and reads it again.
      const writes: Write[] = [
        {
          in: 'claims',
          update: { id: claim.id, status: 'active' },
          change: { $set: { status: 'claimed', ...decided } },
        },
        {
          in: 'accounts',
          update: { id: account.id, holder_id: null, closed_at: null },
          change: { $set: { holder_id: personId } },
        },
      ]
      const about = { account_id: account.id, claim_id: claim.id }
      const note = { operation: 'agent_claim.complete', about }
      // The person holds it from now on, or has closed it.
      const taking = { ...context, caller: { ...caller, accountId: account.id } }
      return commitAudited(taking, claimed, writes, note)
    })
    forgetCallers()
    return answer
  },
})
