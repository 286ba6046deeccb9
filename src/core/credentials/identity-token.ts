import { hash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import * as z from 'zod'
import { keySetPath, serviceKey } from '../admission/service-key.ts'
import type { Ports } from '../context.ts'
import { refuse } from '../errors.ts'
import { timestamp } from '../time.ts'

/** How long a token is valid, in seconds. */
const validSeconds = 3600
/** Characters of an audience. */
const audienceAtMost = 512

// The characters of URIs (RFC 3986), of which names and URNs are made.
const nameForm = /^[A-Za-z0-9][\w.~:/?#@!$&'()*+,;=%-]*$/
const isOfWeb = /^https?:/i

/** The service that a token is for. */
export const Audience = z
  .string()
  .min(1)
  .max(audienceAtMost)
  .refine(isAudience, 'must be an http or https address, a URN or a name, without blanks')
  .describe(
    'The service that it is for, as that service calls itself: its address, a URN or a name.',
  )

function isAudience(said: string): boolean {
  if (!nameForm.test(said)) return false
  if (!isOfWeb.test(said)) return true
  const url = URL.parse(said)
  return url !== null && url.username === '' && url.password === '' && !said.includes('#')
}

export const IdentityToken = z
  .object({
    token: z.string().describe('A JWT, signed with EdDSA.'),
    expires_at: z.string(),
    issuer: z.string().describe('Its iss: the address of this server.'),
    subject: z.string().describe('Its sub: the address of the agent, or the handle.'),
    audience: z.string().describe('Its aud.'),
    jwks_uri: z.string().describe('The keys that verify it.'),
  })
  .meta({ id: 'IdentityToken' })
/** A token that says to one service who calls it. */
export type IdentityToken = z.infer<typeof IdentityToken>

/** Whom a token is about. */
export interface Subject {
  kind: 'agent' | 'handle'
  /** The address of an agent, or a handle. */
  subject: string
  /** The account of an agent; undefined for a handle of its own. */
  accountId: string | undefined
  /** A person has claimed the account. */
  claimed: boolean
}

/**
 * A signed statement of who calls a service, for that service alone and an hour.
 * @throws Refusal `invalid_input` for this server as the audience: what it has signed is no credential here
 */
export async function signedIdentity(
  { sealer, settings, clock }: Pick<Ports, 'sealer' | 'settings' | 'clock'>,
  { kind, subject, accountId, claimed }: Subject,
  audience: string,
): Promise<IdentityToken> {
  const issuer = settings.publicUrl
  if (isOwn(audience, issuer)) {
    const message = 'This server takes no token that it has signed itself.'
    refuse('invalid_input', message, {
      errors: [{ pointer: '/audience', message, code: 'audience_own' }],
      hint: 'Name the other service that the token is for; here your key says who you are.',
    })
  }
  const { privateKey, kid } = serviceKey(sealer)
  const iat = Math.floor(clock.now().getTime() / 1000)
  const exp = iat + validSeconds
  const account_hash = accountId === undefined ? null : accountHash(issuer, accountId)
  const who = { iss: issuer, sub: subject, aud: audience, iat, exp, jti: randomUUID() }
  const token = await new SignJWT({ ...who, kind, account_hash, claimed })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
    .sign(privateKey)
  const expires_at = timestamp(new Date(exp * 1000))
  return { token, expires_at, issuer, subject, audience, jwks_uri: issuer + keySetPath }
}

/** The same for all agents of an account and for good, and made of nothing that says which account it is. */
function accountHash(issuer: string, accountId: string): string {
  return hash('sha256', `account ${accountId} of ${issuer}`, 'base64url')
}

/** Whether an audience is this server, by any of its addresses or by its name. */
function isOwn(audience: string, publicUrl: string): boolean {
  const own = new URL(publicUrl)
  const said = URL.parse(isOfWeb.test(audience) ? audience : `${own.protocol}//${audience}`)
  return said !== null && bare(said.hostname) === bare(own.hostname) && said.port === own.port
}

/** A name of a host without the dot of the root. */
function bare(hostname: string): string {
  return hostname.replace(/\.$/, '')
}
