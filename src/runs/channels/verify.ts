import { createPublicKey, hash, timingSafeEqual, verify } from 'node:crypto'
import type { CarriedKind } from '#src/events/outbox/channels/kinds.ts'
import { isInTime, proofOf, type SentHeaders } from '../triggers/sender-signature.ts'

/** The headers by which services show that a message is theirs, by the members of the input. */
export interface ChannelHeaders extends SentHeaders {
  telegram_token?: string | undefined
  discord_signature?: string | undefined
  discord_timestamp?: string | undefined
}

type Check = (key: string, bytes: Uint8Array, sent: ChannelHeaders, now: Date) => boolean

const checks: Readonly<Record<CarriedKind, Check>> = {
  email: (secret, bytes, sent, now) =>
    proofOf({ verify: 'standard', secret }, bytes, sent, now) !== undefined,
  slack: (secret, bytes, sent, now) =>
    proofOf({ verify: 'slack', secret }, bytes, sent, now) !== undefined,
  /** Telegram signs nothing: it repeats the token that it was told. */
  telegram: (secret, _bytes, { telegram_token: token = '' }) =>
    secret !== '' && timingSafeEqual(digestOf(secret), digestOf(token)),
  /** Ed25519 over the time and the body. */
  discord(publicKey, bytes, { discord_signature: sent = '', discord_timestamp: time = '' }, now) {
    if (!/^[0-9a-f]{128}$/i.test(sent) || !isKey.test(publicKey) || !isInTime(time, now)) {
      return false
    }
    const key = createPublicKey({
      key: Buffer.concat([spki, Buffer.from(publicKey, 'hex')]),
      format: 'der',
      type: 'spki',
    })
    return verify(null, Buffer.concat([Buffer.from(time), bytes]), key, Buffer.from(sent, 'hex'))
  },
}

const isKey = /^[0-9a-f]{64}$/i
/** What stands before the 32 bytes of an Ed25519 key in its usual form. */
const spki = Buffer.from('302a300506032b6570032100', 'hex')

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Whether a message comes from the service that holds the key, in its time. */
export function isFrom(
  kind: CarriedKind,
  key: string,
  bytes: Uint8Array,
  sent: ChannelHeaders,
  now: Date,
): boolean {
  return checks[kind](key, bytes, sent, now)
}
