import { createHmac } from 'node:crypto'
import { standardKey } from '#src/core/credentials/signature-key.ts'

/** What of a delivery the headers state and sign. */
export interface Signed {
  eventId: string
  /** The exact bytes that are sent. */
  body: string
  secret: string | null
  now: Date
}

/**
 * The headers by which a receiver can verify that a call comes from this service and is unchanged:
 * `X-Service-Signature` and those of Standard Webhooks. Without a secret nothing is signed.
 * @see https://www.standardwebhooks.com
 */
export function signatureHeaders({ eventId, body, secret, now }: Signed): Record<string, string> {
  const seconds = String(Math.floor(now.getTime() / 1000))
  const named = { 'webhook-id': eventId, 'webhook-timestamp': seconds }
  if (secret === null) return named
  const signature = mac(standardKey(secret), `${eventId}.${seconds}.${body}`).toString('base64')
  return {
    ...named,
    'webhook-signature': `v1,${signature}`,
    'x-service-signature': mac(secret, body).toString('hex'),
  }
}

function mac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
