import { createHmac, timingSafeEqual } from 'node:crypto'
import { hasBytes, standardKey } from '#src/core/credentials/signature-key.ts'
import type { hookSenders } from '#src/core/vocabulary.ts'

/** How far the time of a signature may be from now, in seconds. */
export const windowSeconds = 300

/** The headers of a call that may sign it, by the members of the input. */
export interface SentHeaders {
  signature?: string | undefined
  hub_signature?: string | undefined
  stripe_signature?: string | undefined
  slack_signature?: string | undefined
  slack_timestamp?: string | undefined
  webhook_id?: string | undefined
  webhook_timestamp?: string | undefined
  webhook_signature?: string | undefined
}

/** What a trigger asks of its callers. */
export interface Lock {
  verify: (typeof hookSenders)[number] | 'service'
  secret: string
}

/** A call that has proved who sent it. */
export interface Proof {
  /** The same for every repeat of the call; undefined where a repeat cannot be told from another call. */
  once: string | undefined
}

type Scheme = (secret: string, bytes: Uint8Array, sent: SentHeaders, now: Date) => Proof | undefined

/** Whether the call is signed as the lock asks, in its time; undefined if not. */
export function proofOf(
  { verify, secret }: Lock,
  bytes: Uint8Array,
  sent: SentHeaders,
  now: Date,
): Proof | undefined {
  return hasBytes(secret) ? schemes[verify](secret, bytes, sent, now) : undefined
}

const schemes: { readonly [N in Lock['verify']]: Scheme } = {
  /** Lower-case hex of the body's HMAC. It has no time, and its repeats are told by idempotency keys. */
  service(secret, bytes, { signature = '' }) {
    return signedBy(secret, [bytes], hexIn([signature])) ? { once: undefined } : undefined
  },

  /** `sha256=` and the hex of the body's HMAC. */
  github(secret, bytes, { hub_signature: sent = '' }) {
    const hex = sent.startsWith('sha256=') ? sent.slice(7) : ''
    return signedBy(secret, [bytes], hexIn([hex])) ? { once: hex } : undefined
  },

  /** `t=`, and `v1=` once for each secret that is valid while they change, over `t.body`. */
  stripe(secret, bytes, { stripe_signature: sent = '' }, now) {
    const parts = sent.split(',').map((part) => part.trim().split('='))
    const [time = ''] = parts.flatMap(([name, value = '']) => (name === 't' ? [value] : []))
    if (!isInTime(time, now)) return undefined
    const all = parts.flatMap(([name, value = '']) => (name === 'v1' ? [value] : []))
    const mac = signedBy(secret, [`${time}.`, bytes], hexIn(all))
    return mac === undefined ? undefined : { once: mac }
  },

  /** `v0=` and the hex over `v0:time:body`. */
  slack(secret, bytes, { slack_signature: sent = '', slack_timestamp: time = '' }, now) {
    const hex = sent.startsWith('v0=') ? sent.slice(3) : ''
    if (!isInTime(time, now)) return undefined
    return signedBy(secret, [`v0:${time}:`, bytes], hexIn([hex])) ? { once: hex } : undefined
  },

  /**
   * Standard Webhooks: `v1,` and base64 over `id.time.body`, of several with a blank between them. With a dot in its id
   * a call would be signed like another one, whose body begins with the rest.
   */
  standard(secret, bytes, sent, now) {
    const { webhook_id: id = '', webhook_timestamp: time = '', webhook_signature = '' } = sent
    if (id === '' || id.includes('.') || !isInTime(time, now)) return undefined
    const key = standardKey(secret)
    const all = webhook_signature.split(' ').filter((one) => one.startsWith('v1,'))
    const given = all.map((one) => Buffer.from(one.slice(3), 'base64'))
    return signedBy(key, [`${id}.${time}.`, bytes], given) ? { once: id } : undefined
  },
}

/** While secrets change there are two. */
const signaturesAtMost = 10
const isHex = /^[0-9a-f]{64}$/
const isTime = /^[0-9]{1,12}$/

/** Whether it has a form that any of them signs with, before the body is known. */
export function mayBeSignature(text: string): boolean {
  return /^(?:(?:sha256=|v0=)?[0-9a-f]{64}$|t=[0-9]|v1,)/.test(text)
}

function hexIn(texts: readonly string[]): Buffer[] {
  return texts.filter((text) => isHex.test(text)).map((text) => Buffer.from(text, 'hex'))
}

/** Whether a time is so near that what it signs is not a late repeat. */
export function isInTime(seconds: string, now: Date): boolean {
  if (!isTime.test(seconds)) return false
  return Math.abs(now.getTime() / 1000 - Number(seconds)) <= windowSeconds
}

/** The hex of the HMAC of the parts, if it is one of those that were given; compared in constant time. */
function signedBy(
  key: string | Buffer,
  parts: readonly (string | Uint8Array)[],
  given: readonly Buffer[],
): string | undefined {
  if (given.length === 0) return undefined
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  const own = mac.digest()
  const isOne = given
    .slice(0, signaturesAtMost)
    .some((one) => one.length === own.length && timingSafeEqual(one, own))
  return isOne ? own.toString('hex') : undefined
}
