import type { Carrier } from './relay.ts'

/** The door of a service elsewhere. */
export function remoteCarrier({ url, query }: { url: string; query: string }): Carrier {
  const address = `${url}/mcp${query === '' ? '' : `?${query}`}`
  return {
    async send({ value }, headers, signal) {
      const response = await reached(address, {
        method: 'POST',
        headers,
        body: JSON.stringify(value),
        // A key must not follow a redirect to wherever it leads.
        redirect: 'manual',
        signal,
      })
      const contentType = response.headers.get('content-type') ?? ''
      return { status: response.status, contentType, body: response.body ?? undefined }
    },
  }
}

/** @throws Error that says what address cannot be reached */
async function reached(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (cause) {
    const { origin } = new URL(address)
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : undefined
    const code = reason && 'code' in reason ? ` (${String(reason.code)})` : ''
    throw new Error(`${origin} cannot be reached${code}.`, { cause })
  }
}
