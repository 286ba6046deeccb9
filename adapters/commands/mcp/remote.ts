import type { Carrier } from './relay.ts'

/**
 * The largest message that a door accepts, unless the operator has put a smaller limit in front of it.
 */
const usualBytes = 16 * 1024 * 1024

/** The door of a remote service. */
export function remoteCarrier({ url, query }: { url: string; query: string }): Carrier {
  const address = `${url}/mcp${query === '' ? '' : `?${query}`}`
  return {
    async send({ value }, headers, signal) {
      const body = JSON.stringify(value)
      const response = await reached(address, {
        method: 'POST',
        headers,
        body,
        // A key must not follow a redirect to another address.
        redirect: 'manual',
        signal,
      })
      const contentType = response.headers.get('content-type') ?? ''
      return {
        status: response.status,
        contentType,
        body: response.body ? untilBroken(response.body, address) : undefined,
      }
    },
  }
}

/** @throws Error that names the address that cannot be reached */
async function reached(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (cause) {
    const { origin } = new URL(address)
    throw new Error(`${origin} cannot be reached${reasonOf(cause)}${sizeNote(init)}.`, { cause })
  }
}

/** A service that refuses a large message closes the connection, and its answer may be lost with it. */
function sizeNote({ body }: RequestInit): string {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : 0
  if (bytes <= usualBytes) return ''
  return `; the message has ${bytes} bytes, and services like this take ${usualBytes} at most`
}

/** The system's code for the error, if it has one. */
function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error ? cause.cause : undefined
  const code = reason instanceof Error && 'code' in reason ? reason.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}

/** @throws Error that says that the service broke off, instead of the system's message */
async function* untilBroken(
  body: ReadableStream<Uint8Array>,
  address: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    const { origin } = new URL(address)
    throw new Error(`${origin} broke off its answer${reasonOf(cause)}.`, { cause })
  }
}
