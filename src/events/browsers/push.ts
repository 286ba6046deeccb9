import type { RequestOptions } from 'web-push'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { retryAfter } from '#src/events/outbox/retry-schedule.ts'
import type { Tried } from '#src/events/outbox/tried.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import type { Write } from '#src/ports/store.ts'
import { contactOf, serverKey } from './server-key.ts'
import { browserSeal, type StoredBrowser, type Subscription } from './subscription.ts'

/** What a browser is sent. */
export interface Push {
  urgency: 'normal' | 'high'
  /** Of what the push service keeps for a browser that is away, a newer one replaces those of the same topic. */
  topic: string
  /** What our worker in the browser reads. */
  payload: object
}

/** How long a push service keeps it for a browser that is away, in seconds: what happened yesterday is in the pages. */
export const keptSeconds = 86_400
/** Longest payload in bytes: encrypted it has to stay below 4,096, which every push service takes. */
export const payloadAtMost = 3000
/** An answer says little, and none of it is read. */
const answerBytesAtMost = 65_536

const gone = new Set([404, 410])
/** Refusals that may end. */
const forNow = new Set([408, 425, 429])

type Needed = Pick<Ports, 'store' | 'sealer' | 'settings' | 'sender' | 'clock'>
interface How {
  timeoutMs: number
  signal: AbortSignal
}

/** Loaded with the first push. */
const library = async () => (await import('web-push')).default

/**
 * Sends one push, encrypted for its browser (RFC 8291) and signed by this server (RFC 8292).
 * @throws OutboundFailure without an answer
 */
export async function pushTo(
  ports: Needed,
  browser: StoredBrowser | undefined,
  { urgency, topic, payload }: Push,
  at: Date,
  how: How,
): Promise<Tried> {
  const refused = { at, status: undefined, retryAfter: undefined, isFinal: true }
  if (!browser) return { ...refused, error: 'This browser is not subscribed any more.' }
  const { sealer, settings, sender, clock } = ports
  const key = await serverKey(ports)
  if (key.publicKey !== browser.server_key) {
    return { ...refused, error: 'This server has another key now: subscribe the browser again.' }
  }
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) > payloadAtMost) {
    return { ...refused, error: 'It is too long for a push.' }
  }
  // It was sealed here.
  const to = JSON.parse(sealer.open(browser.sealed, browserSeal(browser.id))) as Subscription
  const options: RequestOptions = {
    vapidDetails: { subject: contactOf(settings), ...key },
    TTL: keptSeconds,
    urgency,
    topic,
    contentEncoding: 'aes128gcm',
  }
  const { headers, body } = (await library()).generateRequestDetails(to, text, options)
  const { 'Content-Length': _length, ...sent } = headers
  const answer = await sender.send({
    method: 'POST',
    url: to.endpoint,
    // The library gives it as a number.
    headers: { ...sent, TTL: `${keptSeconds}` },
    body,
    redirects: 0,
    bytesAtMost: answerBytesAtMost,
    ...how,
  })
  return triedBy(answer, at, clock.now())
}

function triedBy(
  { status, headers }: { status: number; headers: Record<string, string> },
  at: Date,
  now: Date,
): Tried {
  if (status >= 200 && status < 300) {
    return { at, status, error: undefined, retryAfter: undefined }
  }
  const error = gone.has(status)
    ? 'The browser is not subscribed any more.'
    : `The push service answered ${status}.`
  return {
    at,
    status,
    error,
    retryAfter: retryAfter(headers['retry-after'], now),
    isGone: gone.has(status),
    isFinal: status < 500 && !forNow.has(status),
  }
}

/** The writes that end a subscription, with what waits to be sent to it. */
export function browserGone({ id, person_id }: Pick<StoredBrowser, 'id' | 'person_id'>): Write[] {
  const waiting = { told_person: person_id, told_browser: id, status: 'pending' } as const
  return [
    { in: 'push_subscriptions', delete: { id } },
    { in: 'deliveries', delete: { ...waiting, claim: null } },
  ]
}

/** What becomes of a browser after a try. */
export function browserAfter(
  { id, person_id }: Pick<StoredBrowser, 'id' | 'person_id'>,
  { at, error, isGone }: Tried,
): Write[] {
  if (isGone) return browserGone({ id, person_id })
  const $set = error === undefined ? { last_sent_at: timestamp(at), error: null } : { error }
  return [{ in: 'push_subscriptions', update: { id }, change: { $set } }]
}

/** The same for a delivery; nothing if it is for no browser. */
export function browserAfterDelivery(
  { told_browser: id, told_person: person_id = '' }: StoredDelivery,
  tried: Tried,
): Write[] {
  return id === undefined ? [] : browserAfter({ id, person_id }, tried)
}
