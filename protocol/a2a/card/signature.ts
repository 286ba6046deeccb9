import { sign } from 'node:crypto'
import { serviceKey, type ServiceKey } from '#src/core/admission/service-key.ts'
import type { Sealer } from '#src/core/seal.ts'

/** The key that signs cards. */
export type CardKey = ServiceKey

/** The service's key: clients that verify a card find it in the published set. */
export function cardKey(sealer: Pick<Sealer, 'derive'>): CardKey {
  return serviceKey(sealer)
}

export { keySetPath } from '#src/core/admission/service-key.ts'

/** A JWS (RFC 7515) without its payload: the card without its signatures, in the form of RFC 8785. */
export function signatureOver(
  { signatures: _unsigned, ...members }: { signatures?: unknown },
  header: object,
  { privateKey }: CardKey,
): { protected: string; signature: string } {
  const head = base64url(JSON.stringify(header))
  const signed = Buffer.from(`${head}.${base64url(canonical(members))}`)
  return { protected: head, signature: sign(null, signed, privateKey).toString('base64url') }
}

/** Members in order of their names, without white space; the rest of our JSON has that form already. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
