import { PaymentsFailed } from '#src/ports/payments.ts'

/** What a library error says about the answer; nothing if there was no answer. */
interface Facts {
  status: number | undefined
  code: string | undefined
  requestId: string | undefined
}

/**
 * The failure that a library error means for the caller. Its text is Stripe's and stays in the cause,
 * which only the log shows.
 * @param isWrite whether the request changes something
 */
export function failureOf(cause: unknown, isWrite: boolean): PaymentsFailed {
  const { status, code, requestId } = factsOf(cause)
  const mayBeDone = isWrite ? 'unknown' : 'not_done'
  const of = [status, code, requestId].filter((fact) => fact !== undefined).join(' ')
  // An answer about a wrong key may quote it, so these failures keep no cause.
  if (status === 401) {
    return new PaymentsFailed(`Stripe does not accept STRIPE_SECRET_KEY (${of}).`, 'not_done')
  }
  if (status === 403) {
    return new PaymentsFailed(`STRIPE_SECRET_KEY may not do this at Stripe (${of}).`, 'not_done')
  }
  if (status === undefined) {
    // Even a refused connection: the library may have sent the request before, on one that broke.
    return new PaymentsFailed('Stripe gave no answer.', mayBeDone, { cause: originOf(cause) })
  }
  if (status === 429 || code === 'rate_limit' || code === 'lock_timeout') {
    return new PaymentsFailed(`Stripe is asked too often (${of}).`, 'not_done', { cause })
  }
  // At 409 the same key is being processed.
  if (status >= 500 || status === 409) {
    return new PaymentsFailed(`Stripe failed (${of}).`, mayBeDone, { cause })
  }
  if (code === 'insufficient_balance_for_refund') {
    const message = `The balance at Stripe does not cover the refund (${of}).`
    return new PaymentsFailed(message, 'not_done', { cause })
  }
  return new PaymentsFailed(`Stripe refused what it was asked (${of}).`, 'refused', { cause })
}

/** Whether the error says that there is no such object. */
export function isMissing(cause: unknown): boolean {
  const { status, code } = factsOf(cause)
  return status === 404 && code === 'resource_missing'
}

/** Whether the error says that the whole payment was refunded before. */
export function isRefundedBefore(cause: unknown): boolean {
  return factsOf(cause).code === 'charge_already_refunded'
}

// Recognised by their members, because their classes come only with the library.
function factsOf(cause: unknown): Facts {
  if (!(cause instanceof Error)) return { status: undefined, code: undefined, requestId: undefined }
  const status = 'statusCode' in cause ? cause.statusCode : undefined
  return {
    status: typeof status === 'number' && status >= 400 ? status : undefined,
    code: word('code' in cause && cause.code) ?? word('raw' in cause && messageCode(cause.raw)),
    requestId: word('requestId' in cause && cause.requestId),
  }
}

/** Some refusals have no `code`, but a `message_code`. */
function messageCode(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'message_code' in raw ? raw.message_code : null
}

/** Codes and request ids are single words; anything else is not passed on. */
function word(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,100}$/.test(value) ? value : undefined
}

/** What broke the connection: the library's own error says only that it broke. */
function originOf(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('detail' in cause)) return cause
  return cause.detail instanceof Error ? cause.detail : cause
}
