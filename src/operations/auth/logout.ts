import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { endOfSession } from '#src/accounts/people/session.ts'

export const logout = operation({
  name: 'auth.logout',
  summary: 'Sign out: the session ends, and its cookie is removed.',
  example: {},
  auth: 'person',
  http: { method: 'POST', path: '/api/auth/logout' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({ id: z.string().describe('The id of the session.'), deleted: z.literal(true) }),
  refuses: ['person_needed'],
  unkept: true,

  async run(_, { store, caller, clock, commit, forgetCallers }) {
    const id = caller.keyId
    const answer = await retryUnmet(async () => {
      const writes = await endOfSession(store, id, clock.now())
      return commit({ id, deleted: true as const }, writes, { session: 'ended' })
    })
    forgetCallers()
    return answer
  },
})
