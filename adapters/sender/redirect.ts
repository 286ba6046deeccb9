import { attemptHeader, type Outbound } from '#src/ports/sender.ts'
import { failure } from './faults.ts'

/** One request in a chain of redirects. */
export interface Hop {
  method: Outbound['method']
  url: URL
  /** Names in lower case. */
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

const redirects = new Set([301, 302, 303, 307, 308])
const ofTheBody = /^content-/
// Any other header may be a credential under a name that the other side chose.
const forAnybody = new Set([
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  attemptHeader,
  'traceparent',
  'user-agent',
])

/**
 * The request that an answer redirects to, by the rules of fetch: 303, and POST after 301 and 302,
 * become a GET without a body. Another origin receives no header that could be a credential. Undefined
 * if the answer is no redirect.
 * @throws OutboundFailure `broken_answer` when its address cannot be read
 */
export function redirected(
  hop: Hop,
  status: number,
  location: string | undefined,
): Hop | undefined {
  if (!redirects.has(status) || location === undefined) return undefined
  if (!URL.canParse(location, hop.url)) throw failure('broken_answer')
  const url = new URL(location, hop.url)
  const isGet = status === 303 || (hop.method === 'POST' && status <= 302)
  const isSame = url.origin === hop.url.origin
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (isSame || forAnybody.has(name)) && !(isGet && ofTheBody.test(name)),
  )
  return {
    method: isGet ? 'GET' : hop.method,
    url,
    headers: Object.fromEntries(headers),
    body: isGet ? undefined : hop.body,
  }
}
