import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** What a refusal says, the same on every door. */
interface ErrorObject {
  detail: string
  code: string
  hint?: string
  errors?: { pointer: string; message: string; code: string }[]
}

/** A server that does not answer at all fails the step. */
const answersWithinMs = 40_000

/** The server said no. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: string
  readonly errors: readonly { pointer: string; message: string; code: string }[]

  constructor({ detail, code, hint, errors = [] }: ErrorObject) {
    super(`${code}: ${detail}${hint === undefined ? '' : ` ${hint}`}`)
    this.code = code
    this.errors = errors
  }
}

/** The refusal that a call ends with. @throws Error when it was answered instead */
export async function refusalOf(call: Promise<unknown>): Promise<Refused> {
  try {
    await call
  } catch (cause) {
    if (cause instanceof Refused) return cause
    throw cause
  }
  throw new Error('the server should have refused, and it did not')
}

// The answers of all doors are taken for what the server's documents promise of the operation.

/** The REST door. */
export class Rest {
  readonly #base: string
  readonly #headers: Record<string, string>

  constructor(base: string, key?: string) {
    this.#base = base
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        ...this.#headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answersWithinMs),
    })
    const answer = await jsonOf(response)
    if (response.ok) return answer as T
    throw new Refused(answer as ErrorObject)
  }

  /** Follows a run until it ends, and gives the types of its events. */
  async follow(runId: string): Promise<string[]> {
    const response = await fetch(`${this.#base}/api/runs/${runId}/events`, {
      headers: { ...this.#headers, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(answersWithinMs),
    })
    if (!response.ok) throw new Refused((await jsonOf(response)) as ErrorObject)
    const text = await response.text()
    return [...text.matchAll(/^event: (.+)$/gm)].map(([, type = '']) => type)
  }
}

/** The A2A door: every operation is a JSON-RPC method of its own name. */
export class A2a {
  readonly #url: string
  readonly #key: string
  #id = 0

  constructor(base: string, key: string) {
    this.#url = `${base}/a2a/`
    this.#key = key
  }

  async call<T>(method: string, params: object): Promise<T> {
    this.#id += 1
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }),
      signal: AbortSignal.timeout(answersWithinMs),
    })
    const answer = (await jsonOf(response)) as {
      result?: T
      error?: { message: string; data?: ErrorObject }
    }
    if (answer.error?.data) throw new Refused(answer.error.data)
    if (answer.result === undefined) throw new Error(answer.error?.message ?? 'no result')
    return answer.result
  }
}

/** The MCP door, by the official client. */
export class Mcp {
  readonly #client = new Client(
    { name: 'abode-demo', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )

  /** Connects as an MCP host does: the key is a header of the connection, never an argument. */
  async connect(base: string, key: string): Promise<string> {
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    const address = new URL(`${base}/mcp?toolsets=core`)
    await this.#client.connect(new StreamableHTTPClientTransport(address, { requestInit }))
    return this.#client.getNegotiatedProtocolVersion() ?? 'unknown'
  }

  async tools(): Promise<string[]> {
    const { tools } = await this.#client.listTools()
    return tools.map((tool) => tool.name)
  }

  async call<T>(name: string, args: Record<string, unknown>, idempotencyKey?: string): Promise<T> {
    const result = await this.#client.callTool({
      name,
      arguments: args,
      ...(idempotencyKey !== undefined && { _meta: { 'idempotency-key': idempotencyKey } }),
    })
    if (result.isError) throw new Refused(result._meta?.['abode/error'] as ErrorObject)
    return answerIn(result.content) as T
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

/** The answer of a tool: the core's tools give it once, as text; what others wrote in it has marks around it. */
function answerIn(content: readonly { type: string; text?: string }[]): unknown {
  const [shown] = content
  return JSON.parse(/^\{.*\}$/m.exec(shown?.text ?? '')?.[0] ?? 'null')
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`status ${response.status}, and no JSON: ${text.slice(0, 100)}`)
  }
}
