import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { atOnce, type Steps } from './turns/portions.ts'

/** What a seal belongs to; bound into it, so that a sealed text can be opened nowhere else. */
export interface SealedFor {
  /** The record that holds it. */
  id: string
  purpose: string
}

/** Seals texts at rest with AES-256-GCM under keys that derive from one secret. */
export interface Sealer {
  seal(text: string, binding: SealedFor): string
  /** The same in steps: megabytes take as long as a hundred calls. */
  sealSteps(text: string, binding: SealedFor): Steps<string>
  /** @throws Error if the text was not sealed here for this record and purpose */
  open(sealed: string, binding: SealedFor): string
  /** A key for signing or hashing that nothing else uses. */
  derive(purpose: string): Buffer
}

const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
/** So many bytes are sealed in one step, which takes about a millisecond. */
const bytesOfStep = 2 ** 20

/** A sealer whose keys derive from this secret: the master key, or a token that only its holder has. */
export function sealer(secret: Buffer | string): Sealer {
  const keyOf = (salt: Buffer, info: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, 32))
  const additional = ({ id, purpose }: SealedFor): Buffer => Buffer.from(`${purpose}\0${id}`)
  const derived = new Map<string, Buffer>()
  function* sealSteps(text: string, binding: SealedFor): Steps<string> {
    const salt = randomBytes(saltBytes)
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', keyOf(salt, binding.purpose), nonce)
    cipher.setAAD(additional(binding))
    const bytes = Buffer.from(text)
    const body: Buffer[] = []
    for (let at = 0; at < bytes.length; at += bytesOfStep) {
      if (at > 0) yield
      body.push(cipher.update(bytes.subarray(at, at + bytesOfStep)))
    }
    body.push(cipher.final())
    return Buffer.concat([salt, nonce, cipher.getAuthTag(), ...body]).toString('base64url')
  }
  return {
    seal: (text, binding) => atOnce(sealSteps(text, binding)),
    sealSteps,
    open(sealed, binding) {
      const bytes = Buffer.from(sealed, 'base64url')
      const salt = bytes.subarray(0, saltBytes)
      const nonce = bytes.subarray(saltBytes, saltBytes + nonceBytes)
      const tag = bytes.subarray(saltBytes + nonceBytes, saltBytes + nonceBytes + tagBytes)
      const body = bytes.subarray(saltBytes + nonceBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', keyOf(salt, binding.purpose), nonce)
      decipher.setAAD(additional(binding))
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
    derive(purpose) {
      const known = derived.get(purpose)
      if (known) return known
      const key = keyOf(Buffer.alloc(saltBytes), `derive:${purpose}`)
      // Bounded: there are only a few purposes, all in the source.
      derived.set(purpose, key)
      return key
    },
  }
}
