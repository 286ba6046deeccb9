import * as z from 'zod'
import { asClient, attempted, openedAttempt } from '#src/accounts/people/attempt.ts'
import { enterProvided } from '#src/accounts/people/provided.ts'
import { SignedIn } from '#src/accounts/people/sign-in.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import type { SignInProvider } from '#src/core/settings.ts'
import { OAuthFailure } from '#src/ports/oauth.ts'

export const signIn = operation({
  name: 'auth.sign_in',
  summary: 'Sign a person in whom a provider has sent back to this browser.',
  example: { attempt: 'what the browser has kept', answer: 'code=abc&state=def' },
  auth: 'none',
  http: { method: 'POST', path: '/sign-in/callback' },
  toolsets: ['account'],
  internal: true,
  input: z.strictObject({
    attempt: z.string().max(8192).describe('What the browser kept when it left, sealed.'),
    answer: z.string().max(16_384).describe('The query with which it came back.'),
  }),
  output: SignedIn,
  refuses: [
    'login_failed',
    'email_taken',
    'sign_up_closed',
    'provider_unavailable',
    'write_conflict',
  ],
  limits: ['logins'],
  unkept: true,
  reachesOut: true,

  async run({ attempt: kept, answer }, context) {
    const { settings, providers } = context
    const attempt = openedAttempt(context, kept)
    const provider = settings.signIn.providers.find(({ issuer }) => issuer === attempt?.issuer)
    if (!attempt || !provider) {
      return refuse('login_failed', 'This belongs to no sign-in that this browser has begun.')
    }
    const returned = { ...attempted(context, attempt), answer: new URLSearchParams(answer) }
    const identity = await providers
      .identity(asClient(provider), returned)
      .catch((cause: unknown) => refused(provider, cause))
    return enterProvided(context, { provider, identity, invitation: attempt.invitation })
  },
})

/** @throws Refusal for what the provider did not do */
function refused({ name }: SignInProvider, cause: unknown): never {
  if (!(cause instanceof OAuthFailure)) throw cause
  const code = cause.fault === 'unreachable' ? 'provider_unavailable' : 'login_failed'
  return refuse(code, `${name} has not said who you are. ${cause.message}`, { cause })
}
