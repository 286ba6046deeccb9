import type { IncomingHttpHeaders } from 'node:http'
import type { Agent } from 'undici'
import { OutboundFailure, type OutboundAnswer } from '#src/ports/sender.ts'
import { acceptedCodings, readBody } from './body.ts'
import { failure } from './faults.ts'
import { redirected, type Hop } from './redirect.ts'

const bodyBytes = 10 * 1024 * 1024
const withoutBody = new Set([204, 205, 304])
const cookies = new Set(['set-cookie', 'set-cookie2'])

/**
 * One request on a connection of its own: the answer to it, or the request that it redirects to.
 * @throws OutboundFailure, or the error of the client when there was no answer at all
 */
export async function exchange(
  agent: Agent,
  hop: Hop,
  signal: AbortSignal,
): Promise<OutboundAnswer | Hop> {
  const response = await agent.request({
    origin: hop.url.origin,
    path: hop.url.pathname + hop.url.search,
    method: hop.method,
    headers: { ...hop.headers, 'accept-encoding': acceptedCodings },
    body: hop.body ?? null,
    signal,
  })
  const { statusCode: status, body } = response
  // Leaving it before its end, as with a redirect, is an error to the stream and none to us.
  body.on('error', () => undefined)
  try {
    const headers = headersOf(response.headers)
    const next = redirected(hop, status, headers['location'])
    if (next) return next
    if (withoutBody.has(status)) return { status, headers, body: '' }
    const bytes = await readBody(body, headers['content-encoding'] ?? '', bodyBytes, signal)
    return { status, headers, body: textOf(bytes, headers['content-type'] ?? '') }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof OutboundFailure ? error : failure('broken_answer', error)
  } finally {
    body.destroy()
  }
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const joined = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || cookies.has(name)
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(joined)
}

/** The bytes in the character set that the other side names, where it is a known one; else UTF-8. */
function textOf(bytes: Buffer, contentType: string): string {
  const label = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
