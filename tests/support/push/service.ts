import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { startWebServer } from '../web-server.ts'

/** A push as its service and then its browser have it. */
export interface ReceivedPush {
  headers: IncomingMessage['headers']
  /** Of the message as it was sent, in bytes. */
  bytes: number
  /** Decrypted as the browser does it. */
  payload: Record<string, unknown>
  /** What the server has signed of itself, checked by the key that it names. */
  claims: { aud: string; exp: number; sub: string }
  /** That key. */
  key: string
}

/** A browser as it is subscribed. */
export interface TestBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  received: ReceivedPush[]
}

/** A push service for browsers of tests, which decrypts (RFC 8291) and checks who has signed (RFC 8292). */
export async function startPushService() {
  const server = await startWebServer()
  const service = { status: 201, headers: {} as Record<string, string>, hangs: false }
  let made = 0
  const browser = (): TestBrowser => {
    const pair = createECDH('prime256v1')
    const [p256dh, auth] = [pair.generateKeys('base64url'), randomBytes(16)]
    const received: ReceivedPush[] = []
    const endpoint = server.on(`/send/${++made}`, async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      if (service.hangs) return
      const body = Buffer.concat(chunks)
      const { headers } = request
      const payload = JSON.parse(decrypted(body, pair, auth))
      received.push({ headers, bytes: body.length, payload, ...signed(headers.authorization) })
      response.writeHead(service.status, service.headers).end()
    })
    const keys = { p256dh, auth: auth.toString('base64url') }
    return { subscription: { endpoint, keys }, received }
  }
  return Object.assign(service, { origin: server.origin, browser, close: () => server.close() })
}

function decrypted(body: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + body.readUInt8(20))
  const sealed = body.subarray(21 + sender.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const shared = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32))
  const derive = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${what}\0`, bytes))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return text.subarray(0, text.lastIndexOf(2)).toString()
}

function signed(authorization = ''): Pick<ReceivedPush, 'claims' | 'key'> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((one) => one.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const [head = '', claims = '', signature = ''] = token.split('.')
  const by = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  const sent = Buffer.from(`${head}.${claims}`)
  if (!verify('sha256', sent, by, Buffer.from(signature, 'base64url'))) {
    throw new Error('a push was not signed by the key that it names')
  }
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), key }
}
