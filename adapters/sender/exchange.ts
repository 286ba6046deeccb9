import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { OutboundFailure, type OutboundAnswer, type OutboundBytes } from '#src/ports/sender.ts'
import { acceptedCodings, readBody, streamBody } from './body.ts'
import { failure } from './faults.ts'
import { redirected, type Hop } from './redirect.ts'

const bodyBytes = 10 * 1024 * 1024
const withoutBody = new Set([204, 205, 304])
const cookies = new Set(['set-cookie', 'set-cookie2'])

/** An answer whose body has not been read. */
export interface Begun {
  status: number
  headers: Record<string, string>
  /** Undefined if the status allows none. */
  body: Readable | undefined
  /** Closes the connection, even if some of the body is left. */
  leave(): void
}

/**
 * Sends one request on a connection of its own and returns the head of the answer, or the request that
 * it redirects to.
 * @throws OutboundFailure, or the client's error if there was no answer at all
 */
export async function begin(agent: Agent, hop: Hop, signal: AbortSignal): Promise<Begun | Hop> {
  const response = await agent.request({
    origin: hop.url.origin,
    path: hop.url.pathname + hop.url.search,
    method: hop.method,
    headers: { ...hop.headers, 'accept-encoding': acceptedCodings },
    body: hop.body ?? null,
    signal,
  })
  const { statusCode: status, body } = response
  // Leaving it before its end, as for a redirect, is an error to the stream but not to us.
  body.on('error', () => undefined)
  const leave = (): void => void body.destroy()
  try {
    const headers = headersOf(response.headers)
    const next = redirected(hop, status, headers['location'])
    if (!next) return { status, headers, body: withoutBody.has(status) ? undefined : body, leave }
    leave()
    return next
  } catch (error) {
    leave()
    throw error
  }
}

/** The same, with the complete body. */
export async function load(
  agent: Agent,
  hop: Hop,
  signal: AbortSignal,
  bytesAtMost = bodyBytes,
): Promise<OutboundBytes | Hop> {
  const begun = await begin(agent, hop, signal)
  if ('url' in begun) return begun
  const { status, headers, body } = begun
  try {
    const coding = headers['content-encoding'] ?? ''
    const bytes = body
      ? await readBody(body, coding, Math.min(bytesAtMost, bodyBytes), signal)
      : new Uint8Array()
    return { status, headers, bytes, address: hop.url.href }
  } catch (error) {
    throw endOfBody(error, signal)
  } finally {
    begun.leave()
  }
}

/** The same as text. */
export async function exchange(
  agent: Agent,
  hop: Hop,
  signal: AbortSignal,
  bytesAtMost?: number,
): Promise<OutboundAnswer | Hop> {
  const loaded = await load(agent, hop, signal, bytesAtMost)
  if ('url' in loaded) return loaded
  const { status, headers, bytes } = loaded
  return { status, headers, body: textOf(bytes, headers['content-type'] ?? '') }
}

/** The body as it arrives. The reader must close the connection. */
export async function* bodyOf(begun: Begun, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    if (!begun.body) return
    const coding = begun.headers['content-encoding'] ?? ''
    yield* streamBody(begun.body, coding, bodyBytes, signal)
  } catch (error) {
    throw endOfBody(error, signal)
  }
}

function endOfBody(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return error instanceof OutboundFailure ? error : failure('broken_answer', error)
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const joined = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || cookies.has(name)
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(joined)
}

/**
 * The text of the bytes, in the character set that the other side declares if it is known; else UTF-8.
 */
function textOf(bytes: Uint8Array, contentType: string): string {
  const label = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
