import { ECDH } from 'node:crypto'
import * as z from 'zod'
import type { SealedFor } from '#src/core/seal.ts'

/** How many browsers a person is told by at most. */
export const browsersAtMost = 10
/** Longest address of a push service in characters. */
const endpointAtMost = 2048
const curve = 'prime256v1'

/** A browser's public key: a point of P-256, uncompressed, 65 bytes. */
const P256dh = z
  .string()
  .max(100)
  .refine(isPoint, 'must be a point of P-256: 65 bytes, uncompressed, as base64url')
/** What a browser shares with those that write to it: 16 bytes. */
const Auth = z
  .string()
  .max(40)
  .regex(/^[A-Za-z0-9_-]{22}={0,2}$/, 'must be 16 bytes as base64url')

/** Where and how a browser is written to, as `PushSubscription.toJSON()` gives it. */
export const Subscription = z.strictObject({
  endpoint: z.string().min(1).max(endpointAtMost).describe('The address at its push service.'),
  expirationTime: z.number().nullable().optional().describe('Not used.'),
  keys: z.strictObject({ p256dh: P256dh, auth: Auth }),
})
export type Subscription = z.infer<typeof Subscription>

export const SubscribedBrowser = z
  .object({
    id: z.string(),
    name: z.string(),
    service: z.string().describe('Where its push service is; the whole address is not shown.'),
    created_at: z.string(),
    last_sent_at: z.string().nullable().describe('When its push service last took a push.'),
    error: z.string().nullable().describe('Why it did not take the last one.'),
  })
  .meta({ id: 'SubscribedBrowser' })
/** A browser by which a person is told, as they see it. */
export type SubscribedBrowser = z.infer<typeof SubscribedBrowser>

/** The same at rest. */
export interface StoredBrowser extends SubscribedBrowser {
  person_id: string
  /** The person's own account, with which it is exported. */
  account_id: string
  /** From 0 on; unique to the person, so that the limit holds however many are added at once. */
  slot: number
  /** SHA-256 of all that the browser gave; unique, so that a browser tells one person. */
  hash: string
  /** The public key of this server with which it was subscribed: it takes pushes of no other. */
  server_key: string
  /** What the browser gave, sealed: who has it can write to the browser. */
  sealed: string
}

/** The browser as its person sees it. */
export function shownBrowser(stored: StoredBrowser): SubscribedBrowser {
  const { id, name, service, created_at, last_sent_at, error } = stored
  return { id, name, service, created_at, last_sent_at, error }
}

/** What the seal of a subscription is bound to. */
export function browserSeal(id: string): SealedFor {
  return { id, purpose: 'push_subscription' }
}

function isPoint(text: string): boolean {
  if (!/^[A-Za-z0-9_-]{87}=?$/.test(text)) return false
  try {
    ECDH.convertKey(text, curve, 'base64url', 'hex', 'uncompressed')
    return true
  } catch {
    return false
  }
}
