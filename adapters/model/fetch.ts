import type { Outbound, OutboundStream, Streamer } from '#src/ports/sender.ts'

/** How a library's requests are sent. */
export interface FetchTerms {
  timeoutMs: number
  redirects: number
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const withoutBody = new Set([101, 204, 205, 304])

/**
 * The guarded fetch with the signature of `fetch`. An aborted request fails with an `AbortError`; all
 * other failures stay the OutboundFailure that they are.
 */
export function fetchOver(streamer: Streamer, terms: FetchTerms): typeof fetch {
  return async (target, init) => {
    const request = outboundOf(target, init, terms)
    try {
      const answer = await streamer.stream(request)
      const hasBody = !withoutBody.has(answer.status)
      const body = hasBody ? streamOf(answer, request.signal) : null
      // The bytes are decompressed while they are read, by what their own headers say.
      const { 'content-encoding': _coding, 'content-length': _length, ...headers } = answer.headers
      return new Response(body, { status: answer.status, headers })
    } catch (cause) {
      throw request.signal?.aborted ? aborted() : cause
    }
  }
}

function outboundOf(
  target: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
  terms: FetchTerms,
): Outbound {
  const url = target instanceof Request ? target.url : String(target)
  const method = methods.find((one) => one === (init?.method ?? 'GET').toUpperCase())
  const body = init?.body
  if (!method || (body != null && typeof body !== 'string')) {
    throw new TypeError('the guarded fetch takes the usual methods and texts only')
  }
  return {
    method,
    url,
    headers: Object.fromEntries(new Headers(init?.headers)),
    ...(typeof body === 'string' && { body }),
    ...(init?.signal && { signal: init.signal }),
    ...terms,
  }
}

/** The body as a web stream; cancelling it closes the connection. */
function streamOf(
  { body }: OutboundStream,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (cause) {
        controller.error(signal?.aborted ? aborted() : cause)
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

function aborted(): DOMException {
  return new DOMException('The request was aborted.', 'AbortError')
}
