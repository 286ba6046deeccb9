import * as z from 'zod'
import { alreadyClaimed, linked, mustBeInTime, mustBeOpen } from '#src/accounts/claim-link.ts'
import type { Write } from '#src/ports/store.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { mustNotBeSuspended } from '#src/core/authorization/suspended.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'

export const reject = operation({
  name: 'agent_claim.reject',
  summary: 'Reject a claim link: the account closes, and none of its keys works any more.',
  description:
    'At once: every key is refused, and the claim token gives nothing back. Within seconds: runs ' +
    'under way are cancelled, tasks disabled and subscriptions ended. What was published stays. ' +
    'It cannot be undone.',
  example: { claim_code: 'act_00000000000000000000000000000000000000' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/agent-claim/reject' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ claim_code: z.string().max(200) }),
  output: z.object({ status: z.literal('rejected') }),
  refuses: [
    'person_needed',
    'claim_not_found',
    'claim_expired',
    'already_claimed',
    'claim_rejected',
    'write_conflict',
  ],
  destructive: true,

  async run({ claim_code }, context) {
    const { store, caller, clock, forgetCallers } = context
    const rejected = { status: 'rejected' } as const
    const answer = await retryUnmet(async () => {
      const { claim, account } = await linked(store, claim_code)
      if (account.holder_id !== null) return alreadyClaimed()
      if (claim.status === 'rejected') return rejected
      mustNotBeSuspended(account, context.settings)
      mustBeOpen(account)
      const now = clock.now()
      mustBeInTime(claim, now)
      const at = timestamp(now)
      const decided = { decided_by: caller.personId, decided_at: at }
      // The state of the account applies to all of its keys at once, however many there are.
      const writes: Write[] = [
        {
          in: 'claims',
          update: { id: claim.id, status: 'active' },
          change: { $set: { status: 'rejected', sealed_key: null, ...decided } },
        },
        {
          in: 'accounts',
          update: { id: account.id, holder_id: null, closed_at: null },
          change: { $set: { closed_at: at, closing_due_at: at } },
        },
      ]
      const about = { account_id: account.id, claim_id: claim.id }
      const note = { operation: 'agent_claim.reject', about }
      // The person holds it from now on, or has closed it.
      const taking = { ...context, caller: { ...caller, accountId: account.id } }
      return commitAudited(taking, rejected, writes, note)
    })
    forgetCallers()
    return answer
  },
})
