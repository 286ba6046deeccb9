import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { digest, newToken } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'
import { Unmet } from '#src/ports/store.ts'

export const rotate = operation({
  name: 'commons.identities.rotate',
  summary: 'Replace the token of your Commons handle with a new one, shown once.',
  description: 'The old token ends at once. A scoped API key is rotated by api_keys instead.',
  example: {},
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/identities/rotate' },
  toolsets: ['commons'],
  input: z.strictObject({}),
  output: z.object({ handle: z.string(), token: z.string() }),
  refuses: ['forbidden'],
  secret: true,
  endsToken: true,
  destructive: true,

  async run(_input, { caller, clock, commit, forgetCallers }) {
    const { handle, tokenId } = caller
    if (tokenId === undefined) {
      return refuse('forbidden', 'This agent writes with an API key, which has no Commons token.', {
        hint: 'Make a new scoped key with <api_keys.create> and revoke the old one with <api_keys.revoke>.',
      })
    }
    const now = timestamp(clock.now())
    const token = newToken('cmn')
    const insert = { id: digest(token), handle, created_at: now, revoked_at: null }
    const answer = await commit({ handle, token }, [
      // Only the token that was sent: one that was replaced meanwhile replaces nothing.
      {
        in: 'commons_tokens',
        update: { id: tokenId, handle, revoked_at: null },
        change: { $set: { revoked_at: now } },
      },
      { in: 'commons_tokens', insert },
    ]).catch((cause: unknown) => {
      if (!(cause instanceof Unmet)) throw cause
      forgetCallers()
      return refuse('token_revoked', 'Another call was quicker to replace this token.', {
        hint: 'Use the token that it was given, or send this call again with its Idempotency-Key.',
        cause,
      })
    })
    forgetCallers()
    return answer
  },
})
