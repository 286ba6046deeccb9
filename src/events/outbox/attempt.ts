import type { StoredDelivery } from './delivery.ts'
import { deliverySeal } from './outbox.ts'
import type { PushTarget } from './push-target.ts'
import { pushHeaders } from './push-headers.ts'
import type { Ports } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { dueOrLost, type Times } from '#src/core/turns/leases.ts'
import { effectHeaders, OutboundFailure, type EffectMark } from '#src/ports/sender.ts'
import { pushTo, type Push } from '#src/events/browsers/push.ts'
import { isCarried, sendPart } from './channels/send.ts'
import { pauseAfter, retryAfter } from './retry-schedule.ts'
import { runHeaderFor } from './own-call.ts'
import { signatureHeaders } from './signature.ts'
import type { Tried } from './tried.ts'

/** How long a receiver may take to answer, in milliseconds. */
export const answerWithinMs = 15_000
/** How long a worker holds a delivery, in seconds: longer than a try can last. */
export const tryLeaseSeconds = 45

const gone = 410

/** What a delivery becomes after a try. */
export type Settled = Pick<
  StoredDelivery,
  | 'status'
  | 'attempts'
  | 'response_status'
  | 'error'
  | 'last_attempt_at'
  | 'next_attempt_at'
  | 'due_at'
  | 'claim'
>

/** Claims a delivery that is due; undefined if another worker was faster, or it is no longer due. */
export function claimDelivery(
  { deliveries }: Pick<Ports['store'], 'deliveries'>,
  id: string,
  times: Times,
): Promise<StoredDelivery | undefined> {
  const claim = newId('wrk')
  const due_at = secondsAfter(times.leases, tryLeaseSeconds)
  const change = { $set: { due_at, claim }, $inc: { begun: 1 } }
  return deliveries.update({ id, ...dueOrLost(times) }, change)
}

type Sending = Pick<
  Ports,
  'store' | 'clock' | 'sealer' | 'sender' | 'messengers' | 'mailer' | 'settings'
>

/**
 * Sends a delivery once. Each behaviour of the receiver gives a result, worded in fixed texts; it rejects
 * only when the signal is aborted.
 * @param target the address, for a notification of a chat task
 */
export async function attempt(
  ports: Sending,
  delivery: StoredDelivery,
  at: Date,
  signal: AbortSignal,
  target?: PushTarget,
): Promise<Tried> {
  const { clock, sender } = ports
  const { body, url } = delivery
  const how = { redirects: 0, timeoutMs: answerWithinMs, signal }
  try {
    if (isCarried(delivery)) {
      const marked = { ...how, mark: markOf(delivery) }
      const { status, error, retryAfter: wait, isFinal } = await sendPart(ports, delivery, marked)
      return { at, status, error, retryAfter: wait, isFinal }
    }
    if (delivery.told_browser !== undefined) return await pushed(ports, delivery, at, how)
    const own = target ? pushHeaders(ports, delivery, target) : webhookHeaders(ports, delivery)
    const headers = { ...own, ...effectHeaders(markOf(delivery)) }
    const answer = await sender.send({ method: 'POST', url, headers, body, ...how })
    const { status } = answer
    const isTaken = status >= 200 && status < 300
    return {
      at,
      status,
      error: isTaken ? undefined : `The receiver answered ${status}.`,
      retryAfter: isTaken ? undefined : retryAfter(answer.headers['retry-after'], clock.now()),
    }
  } catch (cause) {
    if (signal.aborted || !(cause instanceof OutboundFailure)) throw cause
    const isRedirect = cause.fault === 'too_many_redirects'
    const error = isRedirect
      ? 'The receiver redirected; redirects are not followed.'
      : cause.message
    return { at, status: undefined, error, retryAfter: undefined }
  }
}

/** A push to a browser of the person whom it tells. */
async function pushed(
  ports: Sending,
  { told_browser = '', body }: StoredDelivery,
  at: Date,
  how: { timeoutMs: number; signal: AbortSignal },
): Promise<Tried> {
  const browser = await ports.store.push_subscriptions.get(told_browser)
  // It was written here.
  return pushTo(ports, browser, JSON.parse(body) as Push, at, how)
}

/** Tries that ended before they were recorded count too. */
function markOf({ id, attempts, begun = 0 }: StoredDelivery): EffectMark {
  return { key: id, attempt: Math.max(begun, attempts + 1) }
}

function webhookHeaders(
  ports: Sending,
  { id, event_id: eventId, url, body, sealed_secret, cause_run }: StoredDelivery,
): Record<string, string> {
  const { clock, sealer } = ports
  const secret = sealed_secret === null ? null : sealer.open(sealed_secret, deliverySeal(id))
  const signed = signatureHeaders({ eventId, body, secret, now: clock.now() })
  return { 'content-type': 'application/json', ...signed, ...runHeaderFor(ports, url, cause_run) }
}

/** Whether the receiver answered that it never wants anything again. */
export function isGone({ status, isGone: said }: Pick<Tried, 'status' | 'isGone'>): boolean {
  return said ?? status === gone
}

/** The delivery after a try: delivered, to be retried, or given up. */
export function settledBy(delivery: StoredDelivery, tried: Tried): Settled {
  const attempts = delivery.attempts + 1
  const common = {
    attempts,
    response_status: tried.status ?? null,
    error: tried.error ?? null,
    last_attempt_at: timestamp(tried.at),
    next_attempt_at: null,
    due_at: null,
    claim: null,
  }
  if (tried.error === undefined) return { ...common, status: 'delivered' }
  if (isGone(tried)) return { ...common, status: 'disabled' }
  if (tried.isFinal) return { ...common, status: 'failed' }
  const pause = pauseAfter(attempts, { id: delivery.id, asked: tried.retryAfter })
  if (pause === undefined) return { ...common, status: 'failed' }
  const next = secondsAfter(tried.at, pause)
  return { ...common, status: 'pending', next_attempt_at: next, due_at: next }
}
