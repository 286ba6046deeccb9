import { inNames, inWords, type Words } from './words/reference.ts'

/**
 * The kinds of refusal with their HTTP status. JSON-RPC doors use the same numbers as error codes, except
 * for `invalid` and `internal`, which have codes in JSON-RPC itself.
 */
export const kinds = {
  malformed: { status: 400 },
  unauthenticated: { status: 401 },
  payment_required: { status: 402 },
  forbidden: { status: 403 },
  not_found: { status: 404 },
  conflict: { status: 409 },
  gone: { status: 410 },
  unmet: { status: 412 },
  too_large: { status: 413 },
  invalid: { status: 422 },
  rate_limited: { status: 429 },
  internal: { status: 500 },
  unavailable: { status: 503 },
} as const

/** The kind of a refusal. */
export type Kind = keyof typeof kinds

/** Every public code with its kind. A code is never renamed. */
export const codes = {
  bad_json: 'malformed',
  body_not_object: 'malformed',
  too_deep: 'malformed',
  cursor_invalid: 'malformed',
  idempotency_key_invalid: 'malformed',
  unauthenticated: 'unauthenticated',
  invalid_credential: 'unauthenticated',
  signature_invalid: 'unauthenticated',
  challenge_unknown: 'malformed',
  challenge_expired: 'malformed',
  challenge_used: 'malformed',
  pow_invalid: 'malformed',
  missing_token: 'unauthenticated',
  invalid_token: 'unauthenticated',
  token_revoked: 'unauthenticated',
  banned: 'forbidden',
  trust_too_low: 'forbidden',
  not_author: 'forbidden',
  recipient_blocked: 'forbidden',
  consent_required: 'forbidden',
  forbidden: 'forbidden',
  scope_forbidden: 'forbidden',
  insufficient_scope: 'forbidden',
  owner_only: 'forbidden',
  person_needed: 'forbidden',
  confirmation_needed: 'forbidden',
  role_needed: 'forbidden',
  account_suspended: 'forbidden',
  invitation_not_yours: 'forbidden',
  origin_mismatch: 'forbidden',
  login_failed: 'unauthenticated',
  second_factor_required: 'unauthenticated',
  sign_up_closed: 'forbidden',
  passwords_off: 'forbidden',
  mail_off: 'forbidden',
  quota_exceeded: 'forbidden',
  payment_required: 'payment_required',
  character_not_found: 'not_found',
  task_not_found: 'not_found',
  run_not_found: 'not_found',
  approval_not_found: 'not_found',
  app_not_found: 'not_found',
  api_key_not_found: 'not_found',
  claim_not_found: 'not_found',
  revision_not_found: 'not_found',
  delivery_not_found: 'not_found',
  memory_not_found: 'not_found',
  budget_not_found: 'not_found',
  photo_not_found: 'not_found',
  knowledge_not_found: 'not_found',
  friend_not_found: 'not_found',
  post_not_found: 'not_found',
  hook_not_found: 'not_found',
  price_not_found: 'not_found',
  checkout_not_found: 'not_found',
  order_not_found: 'not_found',
  action_not_found: 'not_found',
  operation_not_found: 'not_found',
  thread_not_found: 'not_found',
  reply_not_found: 'not_found',
  identity_not_found: 'not_found',
  message_not_found: 'not_found',
  webhook_not_found: 'not_found',
  notice_not_found: 'not_found',
  session_not_found: 'not_found',
  passkey_not_found: 'not_found',
  push_not_found: 'not_found',
  connection_not_found: 'not_found',
  member_not_found: 'not_found',
  invitation_not_found: 'not_found',
  push_config_not_found: 'not_found',
  email_taken: 'conflict',
  already_claimed: 'conflict',
  already_member: 'conflict',
  invitation_used: 'conflict',
  invitation_void: 'gone',
  link_unusable: 'gone',
  last_owner: 'conflict',
  own_account: 'conflict',
  accounts_left: 'conflict',
  passkey_limit_reached: 'conflict',
  push_limit_reached: 'conflict',
  second_factor_on: 'conflict',
  second_factor_off: 'conflict',
  wallet_not_empty: 'conflict',
  claim_expired: 'gone',
  claim_rejected: 'gone',
  character_id_taken: 'conflict',
  task_id_taken: 'conflict',
  app_id_taken: 'conflict',
  id_reserved: 'conflict',
  handle_taken: 'conflict',
  duplicate_content: 'conflict',
  thread_closed: 'conflict',
  thread_locked: 'conflict',
  not_held: 'conflict',
  already_friends: 'conflict',
  request_pending: 'conflict',
  idempotency_conflict: 'conflict',
  write_conflict: 'conflict',
  run_ended: 'conflict',
  run_under_way: 'conflict',
  photo_limit_reached: 'conflict',
  webhook_limit_reached: 'conflict',
  nothing_scheduled: 'conflict',
  approval_decided: 'conflict',
  approval_stale: 'conflict',
  edit_not_allowed: 'conflict',
  lease_lost: 'conflict',
  service_closed: 'conflict',
  price_mismatch: 'conflict',
  checkout_mismatch: 'conflict',
  order_not_completed: 'conflict',
  already_rated: 'conflict',
  payment_used: 'conflict',
  revision_mismatch: 'unmet',
  payload_too_large: 'too_large',
  invalid_input: 'invalid',
  unknown_field: 'invalid',
  board_unknown: 'invalid',
  secret_detected: 'invalid',
  self_vote: 'invalid',
  self_message: 'invalid',
  approval_unreachable: 'invalid',
  manifest_invalid: 'invalid',
  import_unreadable: 'invalid',
  output_invalid: 'invalid',
  recipient_unreachable: 'forbidden',
  channel_not_found: 'not_found',
  rate_limited: 'rate_limited',
  internal_error: 'internal',
  unavailable: 'unavailable',
  store_full: 'unavailable',
  provider_not_configured: 'unavailable',
  provider_unavailable: 'unavailable',
  generation_failed: 'unavailable',
} as const satisfies Record<string, Kind>

/** The public code of a refusal. */
export type Code = keyof typeof codes

/** Codes that any operation may answer; no operation declares them. */
export const commonCodes = [
  'bad_json',
  'body_not_object',
  'too_deep',
  'idempotency_key_invalid',
  'unauthenticated',
  'invalid_credential',
  'scope_forbidden',
  'insufficient_scope',
  'role_needed',
  'account_suspended',
  'quota_exceeded',
  'idempotency_conflict',
  'payload_too_large',
  'invalid_input',
  'rate_limited',
  'internal_error',
  'unavailable',
  'store_full',
] as const satisfies readonly Code[]

/** One fault of an input: where (RFC 6901, from the operation's input), a message, and a stable code. */
export interface FaultItem {
  pointer: string
  message: string
  code: string
  suggestion?: string
}

/** The public form of a refusal, the same at every door. */
export interface ErrorObject {
  detail: string
  code: Code
  errors?: readonly FaultItem[]
  hint?: string
  retry_after_s?: number
  request_id: string
  [member: string]: unknown
}

/** What a refusal has in addition to its code and message. */
export interface RefusalOptions extends ErrorOptions {
  errors?: readonly FaultItem[]
  /** What the caller can do next, in one sentence; calls stand in it as references (words/reference.ts). */
  hint?: string
  retryAfterSeconds?: number
  /** Members of this operation's own, in addition to those of every refusal. */
  members?: Readonly<Record<string, unknown>>
}

/** The only way to refuse. Any other error that is thrown is a fault of the server. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: Code
  readonly errors: readonly FaultItem[] | undefined
  readonly hint: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly members: Readonly<Record<string, unknown>> | undefined

  constructor(code: Code, message: string, options: RefusalOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.errors = options.errors
    this.hint = options.hint
    this.retryAfterSeconds = options.retryAfterSeconds
    this.members = options.members
  }

  get kind(): Kind {
    return codes[this.code]
  }

  /** HTTP status, and the JSON-RPC error code of direct methods except for `invalid` and `internal`. */
  get status(): number {
    return kinds[this.kind].status
  }

  /** The same refusal with another hint. */
  withHint(hint: string): Refusal {
    const { code, message, errors, retryAfterSeconds, members, cause } = this
    return new Refusal(code, message, {
      cause,
      hint,
      ...(errors && { errors }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(members && { members }),
    })
  }

  /** @param words those of the door by which it leaves, for the calls that its texts name */
  toObject(requestId: string, words: Words = inNames): ErrorObject {
    return {
      ...this.members,
      ...saidSuggestion(this.members, words),
      detail: inWords(this.message, words),
      code: this.code,
      ...(this.errors && { errors: saidFaults(this.errors, words) }),
      ...(this.hint !== undefined && { hint: inWords(this.hint, words) }),
      ...(this.retryAfterSeconds !== undefined && { retry_after_s: this.retryAfterSeconds }),
      request_id: requestId,
    }
  }
}

/** The operation that was meant, as a tool where the door has tools: an address would not be a name. */
function saidSuggestion(
  { suggestion }: Readonly<Record<string, unknown>> = {},
  words: Words,
): { suggestion?: string } {
  if (typeof suggestion !== 'string' || !suggestion.includes('.')) return {}
  const said = words(suggestion, {})
  return said.includes('/') ? {} : { suggestion: said }
}

/** Faults whose messages name calls in the words of a door. */
export function saidFaults(faults: readonly FaultItem[], words: Words): readonly FaultItem[] {
  return faults.map((fault) => ({ ...fault, message: inWords(fault.message, words) }))
}

/** @throws Refusal always; for use as an expression. */
export function refuse(code: Code, message: string, options?: RefusalOptions): never {
  throw new Refusal(code, message, options)
}
