import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** What a browser is given for its authenticator. */
export interface Asked {
  ticket: string
  options: Record<string, unknown>
}

/** What it brings back. */
export interface Brought {
  ticket: string
  answer: string
}

/** What is different about an answer. */
interface Twist {
  /** The count of uses, from 1 on. */
  counter?: number
  origin?: string
  host?: string
  /** Whether the person was not asked for a finger or a PIN. */
  isUnverified?: boolean
  type?: string
  /** Another question than the one that was asked. */
  challenge?: unknown
}

/** A device with one passkey, and the browser around it. */
export interface Authenticator {
  made(asked: Asked, twist?: Twist): Brought
  answered(asked: Asked, twist?: Twist): Brought
}

const [present, verified, attested] = [0x01, 0x04, 0x40]

/** A device that makes sure of its person, in a browser at this origin. */
export function authenticator(home: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const client = (kind: string, { options }: Asked, twist: Twist): Buffer => {
    const { type = kind, challenge = options['challenge'], origin = home } = twist
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }
  const data = (marks: number, twist: Twist, count: number, more = Buffer.alloc(0)): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(twist.counter ?? count)
    const host = twist.host ?? new URL(home).hostname
    const flags = Buffer.from([present | marks | (twist.isUnverified ? 0 : verified)])
    return Buffer.concat([digestOf(host), flags, counter, more])
  }
  const bringing = ({ ticket }: Asked, response: Record<string, Buffer>): Brought => {
    const texts = Object.entries(response).map(([name, of]) => [name, of.toString('base64url')])
    const name = id.toString('base64url')
    const rest = { type: 'public-key', clientExtensionResults: {} }
    const answer = { id: name, rawId: name, response: Object.fromEntries(texts) as object, ...rest }
    return { ticket, answer: JSON.stringify(answer) }
  }
  return {
    made(asked, twist = {}) {
      const length = Buffer.from([0, id.length])
      const key = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data(attested, twist, 0, key)),
      ])
      const clientDataJSON = client('webauthn.create', asked, twist)
      return bringing(asked, { clientDataJSON, attestationObject })
    },
    answered(asked, twist = {}) {
      const clientDataJSON = client('webauthn.get', asked, twist)
      const authenticatorData = data(0, twist, 1)
      const signed = Buffer.concat([authenticatorData, digestOf(clientDataJSON)])
      const signature = sign('sha256', signed, privateKey)
      return bringing(asked, { clientDataJSON, authenticatorData, signature })
    },
  }
}

function digestOf(of: string | Buffer): Buffer {
  return createHash('sha256').update(of).digest()
}

/** CBOR, as far as it is needed: texts and bytes with their lengths. */
function text(word: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
}

function bytes(of: Buffer): Buffer {
  const head = of.length < 256 ? [0x58, of.length] : [0x59, of.length >> 8, of.length & 255]
  return Buffer.concat([Buffer.from(head), of])
}

/** An ES256 key in COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const [one, other] = [x, y].map((half) => bytes(Buffer.from(half, 'base64url')))
  const head = Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1])
  return Buffer.concat([head, Buffer.from([0x21]), one ?? head, Buffer.from([0x22]), other ?? head])
}
