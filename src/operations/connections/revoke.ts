import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { endOfConnections } from '#src/accounts/hosts/end.ts'
import { ownConnection, removalOf, tokensEnded } from '#src/agents/connections/remove.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const revoke = operation({
  name: 'connections.revoke',
  summary: 'End a connection with a program, or with a server of others.',
  description:
    "A program's tokens are refused from the next request on, and the keys that it has made and the addresses at which it is told of what happens end with it; what else it has made stays. A server's tokens are deleted, and ended there if it can be reached.",
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
    const { accountId } = caller
    const { answer, outbound } = await retryUnmet(async () => {
      const outbound = await ownConnection(store, accountId, id)
      const writes = outbound
        ? removalOf(outbound)
        : await endOfConnections(store, { id, account_id: accountId }, clock.now())
      // One of another account is reported like one that does not exist.
      if (writes.length === 0) {
        return refuse('connection_not_found', `The account has no connection "${id}".`, {
          hint: '<connections.list> lists those that it has.',
        })
      }
      const note = { operation: 'connections.revoke', about: { connection_id: id } }
      const answer = await commitAudited(context, { id, deleted: true as const }, writes, note)
      return { answer, outbound }
    })
    if (outbound) await tokensEnded(context, [outbound])
    else forgetCallers()
    return answer
  },
})
