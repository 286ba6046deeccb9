import type { ServerProcess } from '#tests/support/process.ts'

/** What was sent, and everything that came back. */
export interface Visit {
  /** The answer is one that tells a secret, once, as its operation says. */
  tells: boolean
  path: string
  text: string
}

/** How a call is sent, where it is not as all others. */
export interface Sent {
  tells?: boolean
  key?: string | undefined
  headers?: Record<string, string>
}

/** A store on a busy machine may be away for a while: a client that has a key for the call asks again. */
const tries = 10

/** A client that calls the server through all doors and keeps every answer. */
export class Visitor {
  readonly visits: Visit[] = []
  readonly idempotencyKeys: string[] = []
  key: string | undefined
  readonly #server: ServerProcess

  constructor(server: ServerProcess) {
    this.#server = server
  }

  /** The answer's JSON, of a stream that of its last event. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    { tells = false, key = this.key, headers = {} }: Sent = {},
  ): Promise<Record<string, never>> {
    const idempotencyKey = `idem-marker-${crypto.randomUUID()}`
    this.idempotencyKeys.push(idempotencyKey)
    const request = {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        accept: 'application/json, text/event-stream',
        'a2a-version': '1.0',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        'idempotency-key': idempotencyKey,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    for (let left = tries; ; left--) {
      const response = await fetch(this.#server.url + path, request)
      const text = await response.text()
      this.visits.push({ tells, path, text: `${text}\n${JSON.stringify([...response.headers])}` })
      if (response.status === 503 && left > 1) continue
      const last = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1]
      // The test says what it expects of the answer.
      return JSON.parse(last ?? text) as Record<string, never>
    }
  }

  rpc(path: string, method: string, params: object, tells = false) {
    return this.ask('POST', path, { jsonrpc: '2.0', id: 1, method, params }, { tells })
  }

  tool(name: string, input: object, tells = false) {
    return this.rpc('/mcp', 'tools/call', { name, arguments: input }, tells)
  }

  message(operation: string, params: object, tells = false) {
    const parts = [{ data: { operation, params } }]
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts }
    return this.rpc('/a2a', 'SendMessage', { message }, tells)
  }
}
