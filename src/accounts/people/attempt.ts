import * as z from 'zod'
import type { Ports } from '#src/core/context.ts'
import { randomHex } from '#src/core/ids.ts'
import type { SignInProvider } from '#src/core/settings.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Attempted, Provider } from '#src/ports/oauth.ts'

/** What signing in by a provider needs. */
export type AttemptPorts = Pick<Ports, 'sealer' | 'clock' | 'settings' | 'providers'>

/** The path to which providers send a person back. */
export const signInReturnPath = '/sign-in/callback'

/** How long a person may be away at the provider. */
const attemptSeconds = 900
/** The only record is that of the browser: this one is bound to nothing else. */
const binding = { id: 'browser', purpose: 'sign_in' }

const Attempt = z.strictObject({
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The path in this service to go on to. */
  next: z.string().nullable(),
  /** With which a newcomer is admitted. */
  invitation: z.string().nullable(),
  until: z.string(),
})
/** A sign-in under way at a provider, as the browser keeps it, sealed. */
export type Attempt = z.infer<typeof Attempt>

/** What a browser keeps, and where it goes. */
export interface BegunAttempt {
  address: string
  kept: { token: string; maxAgeSeconds: number }
}

/** Begins a sign-in: only the browser that keeps it ends it. @throws OAuthFailure */
export async function begunAttempt(
  ports: AttemptPorts,
  provider: SignInProvider,
  { next, invitation }: Pick<Attempt, 'next' | 'invitation'>,
): Promise<BegunAttempt> {
  const { sealer, clock, providers } = ports
  const { issuer } = provider
  const secrets = { state: randomHex(24), nonce: randomHex(24), verifier: randomHex(32) }
  const until = secondsAfter(clock.now(), attemptSeconds)
  const attempt: Attempt = { issuer, ...secrets, next, invitation, until }
  const address = await providers.askingAddress(asClient(provider), attempted(ports, attempt))
  const token = sealer.seal(JSON.stringify(attempt), binding)
  return { address, kept: { token, maxAgeSeconds: attemptSeconds } }
}

/** The sign-in that a browser has kept; undefined if it is none of this service, or too old. */
export function openedAttempt(
  { sealer, clock }: Pick<AttemptPorts, 'sealer' | 'clock'>,
  kept: string | undefined,
): Attempt | undefined {
  if (kept === undefined) return undefined
  const attempt = opened(sealer, kept)
  return attempt && attempt.until > timestamp(clock.now()) ? attempt : undefined
}

function opened(sealer: AttemptPorts['sealer'], kept: string): Attempt | undefined {
  try {
    return Attempt.parse(JSON.parse(sealer.open(kept, binding)))
  } catch {
    // Anything may stand in a cookie.
    return undefined
  }
}

/** The provider as it is asked. */
export function asClient({
  issuer,
  client_id: id,
  client_secret,
  scopes,
}: SignInProvider): Provider {
  const asked = [...new Set(['openid', 'email', ...scopes])]
  return { issuer, client: { id, secret: client_secret }, scopes: asked }
}

/** What binds the request to the return. */
export function attempted(
  { settings }: Pick<AttemptPorts, 'settings'>,
  { state, nonce, verifier }: Attempt,
): Attempted {
  return { redirect: settings.publicUrl + signInReturnPath, state, nonce, verifier }
}
