import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import type { Sealer } from '#src/core/seal.ts'
import type { JwkSet } from '#protocol/a2a/options.ts'

/** The key that cards are signed with. */
export interface CardKey {
  privateKey: KeyObject
  /** RFC 7638 thumbprint of the public key. */
  kid: string
  keySet: JwkSet
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Every process with the same master key signs with the same key, so nothing has to be kept. */
export function cardKey(sealer: Pick<Sealer, 'derive'>): CardKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, sealer.derive('a2a card signature')]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  // The members that a thumbprint takes, in its order.
  const jwk = { crv: 'Ed25519', kty: 'OKP', x }
  const kid = hash('sha256', JSON.stringify(jwk), 'base64url')
  return { privateKey, kid, keySet: { keys: [{ ...jwk, kid, alg: 'EdDSA', use: 'sig' }] } }
}

/** Where the key set is published, relative to the service's own address. */
export const keySetPath = '/.well-known/jwks.json'
