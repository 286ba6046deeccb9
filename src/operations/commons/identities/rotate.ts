import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { digest, newToken } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'
import { Unmet, type Write } from '#src/ports/store.ts'

export const rotate = operation({
  name: 'commons.identities.rotate',
  summary: 'Replace the token of your Commons handle by a new one, shown once.',
  description: 'The old token ends at once. A scoped API key is rotated by api_keys instead.',
  example: {},
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/identities/rotate' },
  toolsets: ['commons'],
  input: z.strictObject({}),
  output: z.object({ handle: z.string(), token: z.string() }),
  refuses: ['forbidden', 'write_conflict'],
  secret: true,

  async run(_input, { caller, store, clock, commit, forgetCallers }) {
    if (caller.keyId !== undefined) {
      return refuse('forbidden', 'This agent writes with an API key, which has no Commons token.', {
        hint: 'Make a new scoped key with api_keys.create and revoke the old one.',
      })
    }
    const { handle } = caller
    const now = timestamp(clock.now())
    const token = newToken('cmn')
    const old = await store.commons_tokens.find({ handle, revoked_at: null })
    const writes = old.map(({ id }): Write => ({
      in: 'commons_tokens',
      update: { id, revoked_at: null },
      change: { $set: { revoked_at: now } },
    }))
    const insert = { id: digest(token), handle, created_at: now, revoked_at: null }
    const answer = await commit({ handle, token }, [
      ...writes,
      { in: 'commons_tokens', insert },
    ]).catch((cause: unknown) => {
      if (!(cause instanceof Unmet)) throw cause
      return refuse('write_conflict', 'The token is being rotated by another call.', { cause })
    })
    forgetCallers()
    return answer
  },
})
