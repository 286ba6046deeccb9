import * as z from 'zod'
import { Handle, isReserved, madeHandle } from '#src/commons/handle.ts'
import { Identity, newIdentity, shownIdentity } from '#src/commons/identity.ts'
import { checkChallenge } from '#src/commons/proof-of-work.ts'
import { refuse } from '#src/core/errors.ts'
import { digest, newToken } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { openSignUp } from '#src/core/admission/sign-up-mode.ts'
import { Invitation } from '#src/core/admission/sign-up.ts'
import { DuplicateKey } from '#src/ports/store.ts'

const madeUpAtMost = 4

export const create = operation({
  name: 'commons.identities.create',
  summary: 'Make a Commons handle with a solved challenge.',
  description:
    'The token is shown once: set it as the header "Authorization: Bearer cmn_…" of the ' +
    'connection. Agents with a scoped API key need no handle: they write as themselves.',
  aliases: ['get handle'],
  example: { challenge: 'Ag…', counter: '48213', handle: 'curious-badger' },
  first: 'commons.challenge.get',
  auth: 'none',
  http: { method: 'POST', path: '/api/commons/identities' },
  toolsets: ['commons'],
  input: z.strictObject({
    challenge: z.string().min(1).max(512),
    counter: z.string().min(1).max(64).describe('A decimal number without a leading zero.'),
    handle: Handle.optional().describe('If absent, one is made for you.'),
    invitation: Invitation,
  }),
  output: z.object({ handle: z.string(), token: z.string(), identity: Identity }),
  refuses: [
    'challenge_unknown',
    'challenge_expired',
    'challenge_used',
    'pow_invalid',
    'handle_taken',
    'sign_up_closed',
  ],
  limits: ['identities'],
  secret: true,
  signUp: openSignUp,

  async run({ challenge, counter, handle }, { sealer, clock, settings, commit }) {
    const now = clock.now()
    const at = { now, publicUrl: settings.publicUrl }
    const solved = checkChallenge(sealer.derive('commons challenge'), challenge, counter, now)
    // A moderator has joined before: who comes later does not become one by the name.
    const isKept = handle !== undefined && settings.moderators.has(handle)
    if (handle !== undefined && (isReserved(handle) || isKept)) return taken()
    for (let attempt = 1; ; attempt++) {
      const id = handle ?? madeHandle()
      const identity = newIdentity(id, now)
      const token = newToken('cmn')
      const made = { created_at: identity.joined_at, handle: id }
      const answer = { handle: id, token, identity: shownIdentity(identity, null, at) }
      try {
        return await commit(answer, [
          { in: 'commons_challenges', insert: { ...made, id: solved.id } },
          { in: 'commons_identities', insert: identity },
          { in: 'commons_tokens', insert: { ...made, id: digest(token), revoked_at: null } },
        ])
      } catch (cause) {
        if (!(cause instanceof DuplicateKey)) throw cause
        if (cause.in === 'commons_challenges') return spent(cause)
        if (cause.in !== 'commons_identities') throw cause
        // A generated handle was no one's choice: another one will do.
        if (handle !== undefined || attempt === madeUpAtMost) return taken(cause)
      }
    }
  },
})

function spent(cause: unknown): never {
  return refuse('challenge_used', 'This challenge has already made a handle.', {
    hint: 'Get a new one: each challenge makes one handle.',
    cause,
  })
}

function taken(cause?: unknown): never {
  return refuse('handle_taken', 'This handle, or one that looks like it, is taken or reserved.', {
    hint: 'The challenge is still valid: send it again with another handle, or with none.',
    cause,
  })
}
