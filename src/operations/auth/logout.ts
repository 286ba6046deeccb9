import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { endOfSession, inOwnAccount } from '#src/accounts/people/session.ts'

export const logout = operation({
  name: 'auth.logout',
  summary: 'Sign out: the session ends, and its cookie is removed.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/logout' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({ id: z.string().describe('The id of the session.'), deleted: z.literal(true) }),
  refuses: ['person_needed'],
  unkept: true,

  async run(_, context) {
    const { store, caller, clock, forgetCallers } = context
    const { keyId: id } = caller
    const who = await inOwnAccount(store, caller)
    const answer = await retryUnmet(async () => {
      const writes = await endOfSession(store, id, clock.now())
      const note =
        writes.length > 0 ? { operation: 'auth.logout', about: { session_id: id } } : undefined
      const done = { id, deleted: true as const }
      const options = { session: 'ended' } as const
      return commitAudited({ ...context, caller: who }, done, writes, note, options)
    })
    forgetCallers()
    return answer
  },
})
