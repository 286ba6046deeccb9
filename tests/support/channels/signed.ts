import { createHmac, sign, type KeyObject } from 'node:crypto'

/** A call as a service makes it: its headers, over the body as it is sent. */
export interface SignedCall {
  headers: Record<string, string>
  body: string
}

const seconds = (at: number): string => String(Math.floor(at / 1000))
const mac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text)

/** Calls of each service. @param secret the signing secret, the token, or the private key @param at when, in milliseconds */
export const signedAs = {
  slack(secret: string, value: unknown, at = Date.now()): SignedCall {
    const body = JSON.stringify(value)
    const time = seconds(at)
    const hex = mac(secret, `v0:${time}:${body}`).digest('hex')
    const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${hex}` }
    return { headers, body }
  },
  telegram(secret: string, value: unknown): SignedCall {
    const headers = { 'x-telegram-bot-api-secret-token': secret }
    return { headers, body: JSON.stringify(value) }
  },
  discord(key: KeyObject, value: unknown, at = Date.now()): SignedCall {
    const body = JSON.stringify(value)
    const time = seconds(at)
    const signature = sign(null, Buffer.from(time + body), key).toString('hex')
    return { headers: { 'x-signature-ed25519': signature, 'x-signature-timestamp': time }, body }
  },
  email(secret: string, value: unknown, at = Date.now(), id = 'msg_1'): SignedCall {
    const body = JSON.stringify(value)
    const time = seconds(at)
    const signature = mac(secret, `${id}.${time}.${body}`).digest('base64')
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature}`,
    }
    return { headers, body }
  },
}
