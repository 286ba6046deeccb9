import { createECDH } from 'node:crypto'
import type { Ports } from '#src/core/context.ts'
import type { SealedFor } from '#src/core/seal.ts'
import { DuplicateKey } from '#src/ports/store.ts'

/** The key pair by which push services know this server (RFC 8292), in base64url. */
export interface ServerKey {
  /** A point of P-256, uncompressed. */
  publicKey: string
  privateKey: string
}

/** The id and purpose under which the store keeps the key that the server has made. */
export const serverKeySeal = { id: 'vapid_key', purpose: 'vapid_key' } as const satisfies SealedFor

const keyBytes = 32

type Needed = Pick<Ports, 'store' | 'sealer' | 'settings'>

/**
 * The operator's key, else the one that this store has, which is made when it is first needed. Of several processes
 * that make one at once, all get that of the first.
 */
export async function serverKey({ store, sealer, settings }: Needed): Promise<ServerKey> {
  if (settings.vapidKey !== undefined) return pairOf(settings.vapidKey)
  const { id } = serverKeySeal
  const kept = await store.meta.get(id)
  if (kept) return pairOf(sealer.open(kept.value, serverKeySeal))
  const made = newPrivateKey()
  try {
    await store.meta.insert({ id, value: sealer.seal(made, serverKeySeal) })
    return pairOf(made)
  } catch (cause) {
    if (!(cause instanceof DuplicateKey)) throw cause
    return serverKey({ store, sealer, settings })
  }
}

/** The pair of a private key. @throws an error if it is none of P-256 */
function pairOf(privateKey: string): ServerKey {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey, 'base64url')
  return { publicKey: pair.getPublicKey('base64url'), privateKey }
}

function newPrivateKey(): string {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const key = pair.getPrivateKey()
  // Leading zeros are left out.
  return Buffer.concat([Buffer.alloc(keyBytes - key.length), key]).toString('base64url')
}

/** Whom push services ask about this server: an address of mail or of the web, as they want it. */
export function contactOf({ signUp, publicUrl }: Ports['settings']): string {
  const { contact } = signUp
  if (contact?.startsWith('mailto:')) return contact
  if (contact?.includes('://') === false) return `mailto:${contact}`
  const { hostname } = new URL(publicUrl)
  const found = [contact, publicUrl].find((one) => one?.startsWith('https://'))
  return found !== undefined && hostname !== 'localhost' ? found : `mailto:abode@${hostname}`
}
