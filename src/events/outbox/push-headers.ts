import { sign } from 'node:crypto'
import type { StoredDelivery } from './delivery.ts'
import { type PushTarget, targetSeal, type TargetSecrets } from './push-target.ts'
import type { Ports } from '#src/core/context.ts'
import { keySetPath, serviceKey } from '#src/core/admission/service-key.ts'

/** The protocol's own media type of JSON; the older version had none. */
const contentTypes = { '1.0': 'application/a2a+json', '0.3': 'application/json' } as const

/**
 * The headers of a notification. Its receiver shares no secret with us, so it is signed with the key of the
 * service, whose public part is at `/.well-known/jwks.json`, in two ways: `X-JWS-Signature` is a JWS
 * (RFC 7515) with the body as detached payload, and `webhook-signature` is v1a of Standard Webhooks. Both
 * sign the id and the time of this try, so that a receiver can detect a replay.
 * @see https://www.standardwebhooks.com
 */
export function pushHeaders(
  { sealer, settings, clock }: Pick<Ports, 'sealer' | 'settings' | 'clock'>,
  { event_id: id, body, push_version }: Pick<StoredDelivery, 'event_id' | 'body' | 'push_version'>,
  target: PushTarget,
): Record<string, string> {
  const { privateKey, kid } = serviceKey(sealer)
  const seconds = Math.floor(clock.now().getTime() / 1000)
  const jku = settings.publicUrl + keySetPath
  const about = { alg: 'EdDSA', typ: 'JOSE', kid, jku, jti: id, iat: seconds, aud: target.url }
  const head = base64url(JSON.stringify(about))
  const signed = (text: string): Buffer => sign(null, Buffer.from(text), privateKey)
  const jws = signed(`${head}.${base64url(body)}`).toString('base64url')
  const standard = signed(`${id}.${seconds}.${body}`).toString('base64')
  // The config may have been set again in the other version while this waited.
  const version = push_version ?? target.version
  return {
    'content-type': contentTypes[version],
    'a2a-version': version,
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1a,${standard}`,
    'x-jws-signature': `${head}..${jws}`,
    ...secretHeaders({ sealer }, target),
  }
}

/** What the receiver gave to recognise the service by. */
function secretHeaders(
  { sealer }: Pick<Ports, 'sealer'>,
  { id, sealed, scheme }: PushTarget,
): Record<string, string> {
  if (sealed === null) return {}
  // The sealed text was written by this server.
  const secrets = JSON.parse(sealer.open(sealed, targetSeal(id))) as TargetSecrets
  const { token, credentials } = secrets
  return {
    // Libraries for receivers look for either name.
    ...(token !== undefined && {
      'x-a2a-notification-token': token,
      'a2a-notification-token': token,
    }),
    ...(scheme !== null &&
      credentials !== undefined && { authorization: `${scheme} ${credentials}` }),
  }
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
