import type { Reply } from './reply.ts'

/**
 * Any page may call with a key that it was given: keys travel in a header that no browser adds by
 * itself. With this setting, browsers do not show a page the answer to a request with cookies.
 */
export const openOrigins = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, PAYMENT-REQUIRED, RateLimit, RateLimit-Policy, Retry-After, Understood, WWW-Authenticate, X-Request-Id',
} as const

const requestHeaders =
  'A2A-Version, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, MCP-Protocol-Version, PAYMENT-SIGNATURE, Traceparent, X-PAYMENT, X-Request-Id'
const preflightSeconds = 7200

/** The `Allow` header for these methods. */
export function allowOf(methods: Iterable<string>): string {
  const all = new Set(methods)
  if (all.has('GET')) all.add('HEAD')
  all.add('OPTIONS')
  return [...all].sort().join(', ')
}

/** The answer to OPTIONS, including preflight requests. */
export function optionsReply(methods: Iterable<string>): Reply {
  const allow = allowOf(methods)
  return {
    status: 204,
    headers: {
      Allow: allow,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': String(preflightSeconds),
      'Cache-Control': 'no-store',
    },
  }
}
