/** An error answer of Stripe, in its real form. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: object
  /** Whether Stripe keeps it under the idempotency key: only if the request was carried out. */
  readonly isKept: boolean

  constructor(status: number, error: Record<string, unknown>, { isKept = false } = {}) {
    super(`status ${status}`)
    this.status = status
    const code = error['code']
    const doc_url = typeof code === 'string' ? `https://stripe.com/docs/error-codes/${code}` : code
    this.body = {
      error: {
        ...error,
        ...(doc_url !== undefined && { doc_url }),
        request_log_url: 'https://dashboard.stripe.com/acct_standin/test/workbench/logs',
      },
    }
    this.isKept = isKept
  }
}

export function invalid(message: string, more: Record<string, unknown> = {}): StripeRefusal {
  return new StripeRefusal(400, { message, type: 'invalid_request_error', ...more })
}

export function missing(what: string, id: string, param = 'id', status = 404): StripeRefusal {
  const message = `No such ${what}: '${id}'`
  const type = 'invalid_request_error'
  return new StripeRefusal(status, { code: 'resource_missing', message, param, type })
}

export const refusals = {
  serverError: () =>
    new StripeRefusal(
      500,
      {
        message: 'An unknown error occurred; the text of the provider.',
        type: 'api_error',
      },
      { isKept: true },
    ),
  rateLimit: () =>
    new StripeRefusal(429, {
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
      type: 'invalid_request_error',
    }),
  inUse: (key: string) =>
    new StripeRefusal(409, {
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (${key}).`,
      type: 'idempotency_error',
    }),
  otherParameters: (key: string) =>
    new StripeRefusal(400, {
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      type: 'idempotency_error',
    }),
  noKey: (shown: string) =>
    new StripeRefusal(401, {
      message: `Invalid API Key provided: ${shown}`,
      type: 'invalid_request_error',
    }),
  noPermission: () =>
    new StripeRefusal(403, {
      message:
        "The provided key 'rk_test_***' does not have the required permissions for this endpoint.",
      type: 'invalid_request_error',
    }),
  noBalance: () =>
    new StripeRefusal(
      400,
      {
        message: 'Insufficient funds in your Stripe balance to refund this amount.',
        message_code: 'insufficient_balance_for_refund',
        type: 'invalid_request_error',
      },
      { isKept: true },
    ),
}
