import type { Outbound, Streamer } from '#src/ports/sender.ts'
import { tooLarge } from './failures.ts'

/** What others say of themselves, and tokens, are far shorter. */
const bytesAtMost = 65_536
/** For one answer; the pages of people wait for a few of them. */
export const answerWithinMs = 8000

/** One request, and its answer as the library takes it. */
export type Ask = (
  request: Pick<Outbound, 'method' | 'url' | 'headers' | 'body'>,
) => Promise<Response>

/**
 * Asks through the guarded fetch. Only what is asked without a credential follows redirects.
 * @throws OutboundFailure, OAuthFailure `unusable` for an answer that is too long
 */
export function askOver(guarded: Streamer, timeoutMs: number): Ask {
  return async (request) => {
    const isOpen = request.method === 'GET' && request.headers?.['authorization'] === undefined
    const redirects = isOpen ? 3 : 0
    const { status, headers, body } = await guarded.stream({ ...request, redirects, timeoutMs })
    const chunks: Uint8Array[] = []
    let length = 0
    // Leaving the loop closes the connection.
    for await (const chunk of body) {
      length += chunk.length
      if (length > bytesAtMost) throw tooLarge()
      chunks.push(chunk)
    }
    const isEmpty = status === 204 || status === 205 || status === 304
    // Of all that it says besides, the library needs this: it would take a challenge for the answer.
    const type = { 'content-type': headers['content-type'] ?? '' }
    return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: type })
  }
}

/** The same with the signature of `fetch`, as the library calls it. */
export function fetchOver(ask: Ask) {
  return async (
    url: string,
    init: {
      method: string
      headers: Record<string, string>
      body?: URLSearchParams | string | null
    },
  ): Promise<Response> => {
    const { method, headers, body } = init
    if (method !== 'GET' && method !== 'POST') throw new TypeError('OAuth asks by GET and POST')
    return ask({ method, url, headers, ...(body != null && { body: String(body) }) })
  }
}
