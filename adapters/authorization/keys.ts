import { createPrivateKey, type webcrypto } from 'node:crypto'
import type { ServiceKey } from '#src/core/admission/service-key.ts'

/** The key of the service, private, as the library takes it: what it signs is verified by the published set. */
export function signingKeys({ privateKey, kid }: ServiceKey): { keys: webcrypto.JsonWebKey[] } {
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  const jwk = createPrivateKey(pem).export({ format: 'jwk' })
  return { keys: [Object.assign(jwk, { kid, alg: 'EdDSA', use: 'sig' })] }
}
