import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { endOfConnections } from '#src/accounts/hosts/end.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const revoke = operation({
  name: 'connections.revoke',
  summary: 'End a connection: its tokens are refused from the next request on.',
  description: 'The keys that the program has made end with it.',
  example: { id: 'con_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'person',
  http: { method: 'DELETE', path: '/api/account/connections/{id}' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ id: z.string().max(100) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['person_needed', 'connection_not_found'],
  destructive: true,

  async run({ id }, context) {
    const { store, caller, clock, forgetCallers } = context
    const answer = await retryUnmet(async () => {
      const own = { id, account_id: caller.accountId }
      const writes = await endOfConnections(store, own, clock.now())
      // One of another account is reported like one that does not exist.
      if (writes.length === 0) {
        return refuse('connection_not_found', `The account has no connection "${id}".`, {
          hint: '<connections.list> lists those that it has.',
        })
      }
      const note = { operation: 'connections.revoke', about: { connection_id: id } }
      return commitAudited(context, { id, deleted: true as const }, writes, note)
    })
    forgetCallers()
    return answer
  },
})
