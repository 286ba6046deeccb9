import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import type { Sealer } from '../seal.ts'

/** The published keys, as RFC 7517 writes them. */
export interface JwkSet {
  keys: readonly Record<string, unknown>[]
}

/** The key with which the service signs its cards and what it sends to others. */
export interface ServiceKey {
  /** Ed25519. */
  privateKey: KeyObject
  /** RFC 7638 thumbprint of the public key. */
  kid: string
  keySet: JwkSet
}

/** Where the key set is published, relative to the service's own address. */
export const keySetPath = '/.well-known/jwks.json'

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const made = new WeakMap<object, ServiceKey>()

/** Derived from the master key, so that every process signs with the same key and none is stored. */
export function serviceKey(sealer: Pick<Sealer, 'derive'>): ServiceKey {
  const known = made.get(sealer)
  if (known) return known
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, sealer.derive('a2a card signature')]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  // The members of an RFC 7638 thumbprint, in its order.
  const jwk = { crv: 'Ed25519', kty: 'OKP', x }
  const kid = hash('sha256', JSON.stringify(jwk), 'base64url')
  const keySet = { keys: [{ ...jwk, kid, alg: 'EdDSA', use: 'sig' }] }
  const key = { privateKey, kid, keySet }
  made.set(sealer, key)
  return key
}
