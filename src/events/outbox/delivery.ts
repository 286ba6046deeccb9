import * as z from 'zod'
import type { CarriedKind } from './channels/kinds.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'disabled'] as const

export const Delivery = z
  .object({
    id: z.string(),
    app_id: z
      .string()
      .nullable()
      .describe(
        'Null if a hook of an agent caused it, or it is for a webhook of a handle or a person.',
      ),
    char_id: z.string().nullable(),
    event_id: z.string(),
    type: z.string().describe('The event, such as agent_app.provisioned.'),
    url: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    response_status: z.int().nullable().describe('Of the last attempt.'),
    error: z.string().nullable().describe('Why the last attempt failed.'),
    created_at: z.string(),
    last_attempt_at: z.string().nullable(),
    next_attempt_at: z.string().nullable(),
  })
  .meta({ id: 'Delivery' })
/** A call to an outside address, as the wire shows it. */
export type Delivery = z.infer<typeof Delivery>

/** A delivery at rest: written with its cause, sent after the commit, retried unchanged. */
export interface StoredDelivery extends Delivery {
  owner_id: string
  /** The bytes that every attempt sends; empty if `push_body` has them. */
  body: string
  /** The sealed secret that signs it; null if it is sent unsigned. */
  sealed_secret: string | null
  /** When it is tried next, or when its worker's claim ends. */
  due_at: string | null
  /** The worker that is sending it now. */
  claim: string | null
  /** How often its sending has begun; missing in older deliveries. */
  begun?: number
  /** When it may be deleted, RFC 3339; checked again then. */
  keep_until: string
  /** For a notification of a chat task: its target, and its place in the order. */
  push_target?: string
  push_seq?: number
  /** The protocol version of its body. */
  push_version?: '1.0' | '0.3'
  /** Where its body is stored, once for all targets. */
  push_body?: string
  /** It contains the result of the task, not only its status. */
  push_brings?: boolean
  /** The webhook of a handle that it is for. */
  commons_webhook?: string
  /** The person whose webhook it is for, by which they are told of their account. */
  told_person?: string
  /** The subscription of that person's browser, if it is for one and not for their webhook. */
  told_browser?: string
  /** The channel of its agent that it is for, of which kind, and the conversation that it belongs to. */
  channel?: string
  channel_kind?: CarriedKind
  channel_context?: string
  /** The delivery that brings the next part of the same message: it is due once this one was taken. */
  next_part?: string
  /** The run that it tells of or comes from. */
  cause_run?: string
  /** The trace of what it tells of. */
  trace?: string
  /** The account whose budget of called hosts it counts against; by default the owner. */
  payer?: string
  /** Who caused it, if not the owner; it counts in their share. */
  sender?: string
  /** Bytes that it counts while it is stored; missing in older deliveries. */
  bytes?: number
}

/** A delivery as the wire shows it. */
export function shownDelivery(delivery: StoredDelivery): Delivery {
  const {
    owner_id: _owner,
    body: _body,
    sealed_secret: _secret,
    due_at: _due,
    claim: _claim,
    begun: _begun,
    keep_until: _until,
    push_target: _target,
    push_seq: _seq,
    push_version: _version,
    push_body: _shared,
    push_brings: _brings,
    commons_webhook: _webhook,
    told_person: _told,
    told_browser: _browser,
    channel: _channel,
    channel_kind: _kind,
    channel_context: _context,
    next_part: _next,
    cause_run: _cause,
    trace: _trace,
    payer: _payer,
    sender: _sender,
    bytes: _bytes,
    ...shown
  } = delivery
  return shown
}
