import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { endOfSession, inOwnAccount } from '#src/accounts/people/session.ts'

export const revoke = operation({
  name: 'auth.sessions.revoke',
  summary: 'End a session of the person: its browser is signed out from the next request on.',
  example: { id: 'ses_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'DELETE', path: '/api/auth/sessions/{id}' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ id: z.string().max(100) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['person_needed', 'session_not_found'],
  destructive: true,

  async run({ id }, context) {
    const { store, caller, clock, forgetCallers } = context
    const who = await inOwnAccount(store, caller)
    const answer = await retryUnmet(async () => {
      const now = clock.now()
      const session = await store.sessions.get(id)
      const isOwn = session?.person_id === caller.personId
      const isLive = isOwn && session.expires_at > timestamp(now)
      const writes = isLive ? await endOfSession(store, id, now) : []
      // A session of another person is reported like one that does not exist.
      if (writes.length === 0) {
        return refuse('session_not_found', `You have no session "${id}".`, {
          hint: '<auth.sessions.list> lists yours.',
        })
      }
      const change = id === caller.keyId ? ({ session: 'ended' } as const) : {}
      const note = { operation: 'auth.sessions.revoke', about: { session_id: id } }
      const done = { id, deleted: true as const }
      return commitAudited({ ...context, caller: who }, done, writes, note, change)
    })
    forgetCallers()
    return answer
  },
})
