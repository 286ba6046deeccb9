import * as z from 'zod'

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'disabled'] as const

export const Delivery = z
  .object({
    id: z.string(),
    app_id: z.string().nullable().describe('Null where a hook of an agent asked for it.'),
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
/** A call that is owed to an address outside, as the wire shows it. */
export type Delivery = z.infer<typeof Delivery>

/** A delivery at rest: written with its cause, sent after the commit, tried again as it stands. */
export interface StoredDelivery extends Delivery {
  owner_id: string
  /** The bytes that every attempt sends. */
  body: string
  /** The sealed secret that signs it; null where it goes unsigned. */
  sealed_secret: string | null
  /** When it is tried next, or given up by whoever took it. */
  due_at: string | null
  /** Whoever is sending it now. */
  claim: string | null
  /** When it may be deleted, RFC 3339; looked at again then. */
  keep_until: string
  /** Of a notification of a chat task: where it goes, with its place in the order. */
  push_target?: string
  push_seq?: number
  /** The version of the protocol that its body is of. */
  push_version?: '1.0' | '0.3'
  /** It tells what came of the task, and not only how it stands. */
  push_brings?: boolean
  /** Whose budget of places called it counts against; by default the owner's. */
  payer?: string
}

/** A delivery as the wire shows it. */
export function shownDelivery(delivery: StoredDelivery): Delivery {
  const {
    owner_id: _owner,
    body: _body,
    sealed_secret: _secret,
    due_at: _due,
    claim: _claim,
    keep_until: _until,
    push_target: _target,
    push_seq: _seq,
    push_version: _version,
    push_brings: _brings,
    payer: _payer,
    ...shown
  } = delivery
  return shown
}
