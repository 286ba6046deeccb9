import { messagesIn, type Reply } from './reply.ts'

/** Sends a message to a door and returns its answer. */
export interface Carrier {
  /** @throws Error when the door cannot be reached */
  send(message: Message, headers: Record<string, string>, signal: AbortSignal): Promise<Reply>
}

/** A JSON-RPC message whose form has not been checked. */
export interface Message {
  value: unknown
  bytes: number
}

export interface RelayOptions {
  carrier: Carrier
  /**
   * The key of the connection; if there is none yet, one is requested when it is needed.
   * @throws Error that says why there is none
   */
  key: (isNeeded: boolean) => Promise<string | undefined>
  /** Writes one message; resolves when there is room for the next. */
  write: (text: string) => Promise<void>
  /** Reports to a person that a key was refused. */
  refused: () => void
}

const atOnceAtMost = 256
/** Methods that need no key, so that none is requested before it is of use. */
const keyless = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
])

/**
 * Relays the messages of one host to a stateless door and back. Each message is one request there, so
 * cancelling a message aborts a request, in every revision of the protocol.
 */
export class Relay {
  readonly #options: RelayOptions
  /** The controller that aborts each request, with the request's id; a host may use an id twice. */
  readonly #underWay = new Map<AbortController, string | number | null>()
  readonly #working = new Set<Promise<void>>()
  /** The revision agreed on in a handshake. */
  #revision: string | undefined
  #isEnding = false

  constructor(options: RelayOptions) {
    this.#options = options
  }

  /** Handles one line from the host. */
  take(line: string): void {
    const message = parsed(line)
    if (!message) {
      this.#fail(null, -32700, 'The line is not JSON.')
      return
    }
    const { value } = message
    if (isObject(value) && value['method'] === 'notifications/cancelled') this.#cancel(value)
    // A notification changes nothing at a door without sessions, and an answer was not asked for.
    if (isObject(value) && !('id' in value && 'method' in value)) return
    const id = idOf(value)
    if (this.#underWay.size >= atOnceAtMost || this.#isEnding) {
      const why = this.#isEnding ? 'is ending' : 'has too many requests under way'
      this.#fail(id, -32603, `This process ${why}.`)
      return
    }
    const leaving = new AbortController()
    this.#underWay.set(leaving, id)
    const work = this.#carry(message, id, leaving.signal).finally(() => {
      this.#underWay.delete(leaving)
      this.#working.delete(work)
    })
    this.#working.add(work)
  }

  /** For a line that was too long to hold. */
  takeTooLong(): void {
    this.#fail(null, -32600, 'The message is too large.')
  }

  /** For a line that is not valid text. */
  takeNoText(): void {
    this.#fail(null, -32700, 'The line is not UTF-8.')
  }

  /** Gives the requests under way this long to end, and aborts the rest. */
  async end(graceMs: number): Promise<void> {
    this.#isEnding = true
    const breakOff = setTimeout(() => {
      for (const leaving of this.#underWay.keys()) leaving.abort()
    }, graceMs)
    await Promise.allSettled(this.#working)
    clearTimeout(breakOff)
  }

  #cancel(message: Record<string, unknown>): void {
    const { params } = message
    const cancelled = isObject(params) ? idIn(params['requestId']) : null
    if (cancelled === null) return
    for (const [leaving, id] of this.#underWay) if (id === cancelled) leaving.abort()
  }

  async #carry(message: Message, id: string | number | null, signal: AbortSignal): Promise<void> {
    try {
      const credential = await unlessAborted(this.#credential(message), signal)
      const headers = { ...credential, ...this.#headers(message) }
      const reply = await this.#options.carrier.send(message, headers, signal)
      if (reply.status === 401) this.#options.refused()
      let isAnswered = false
      for await (const text of messagesIn(reply)) {
        if (signal.aborted) return
        const value = parsed(text)?.value
        if (!isObject(value) || value['jsonrpc'] !== '2.0') continue
        const isAnswer = 'result' in value || 'error' in value
        // Passing on an answer to another request would leave this one without an answer.
        if (isAnswer && !answers(value, id)) continue
        this.#note(message, value)
        isAnswered ||= isAnswer
        await this.#options.write(addressed(text, value, id))
      }
      if (isAnswered || id === null || signal.aborted) return
      this.#fail(id, -32603, `The service gave no answer (HTTP status ${reply.status}).`)
    } catch (cause) {
      // A cancelled request expects no answer.
      if (!signal.aborted) this.#fail(id, -32603, messageOf(cause))
    }
  }

  async #credential({ value }: Message): Promise<Record<string, string>> {
    const method = isObject(value) ? value['method'] : undefined
    const key = await this.#options.key(typeof method === 'string' && !keyless.has(method))
    return key === undefined ? {} : { authorization: `Bearer ${key}` }
  }

  #headers({ value }: Message): Record<string, string> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const revision = revisionOf(value)
    if (revision !== undefined) Object.assign(headers, mirrored(value, revision))
    else if (this.#revision !== undefined) headers['mcp-protocol-version'] = this.#revision
    return headers
  }

  /** In revisions with a handshake, every later message must carry what the handshake agreed on. */
  #note({ value }: Message, { result }: Record<string, unknown>): void {
    if (!isObject(value) || value['method'] !== 'initialize' || !isObject(result)) return
    const { protocolVersion } = result
    if (typeof protocolVersion === 'string' && isPlain(protocolVersion)) {
      this.#revision = protocolVersion
    }
  }

  #fail(id: string | number | null, code: number, message: string): void {
    const text = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
    const work = this.#options.write(text).finally(() => this.#working.delete(work))
    this.#working.add(work)
  }
}

function parsed(line: string): Message | undefined {
  try {
    return { value: JSON.parse(line), bytes: Buffer.byteLength(line) }
  } catch {
    return undefined
  }
}

function idOf(value: unknown): string | number | null {
  return isObject(value) ? idIn(value['id']) : null
}

function idIn(id: unknown): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** The revision that a message names in `_meta`, next to its parameters. */
function revisionOf(value: unknown): string | undefined {
  const params = isObject(value) ? value['params'] : undefined
  const meta = isObject(params) ? params['_meta'] : undefined
  const revision = isObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined
  return typeof revision === 'string' ? revision : undefined
}

const namedBy = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** What a request over HTTP repeats in its headers. */
function mirrored(value: unknown, revision: string): Record<string, string> {
  const { method, params } = isObject(value) ? value : {}
  if (typeof method !== 'string') return {}
  const member = namedBy.get(method)
  const name = member !== undefined && isObject(params) ? params[member] : undefined
  return {
    'mcp-protocol-version': encoded(revision),
    'mcp-method': encoded(method),
    ...(typeof name === 'string' && { 'mcp-name': encoded(name) }),
  }
}

/** A value that a header cannot hold is sent as base64, in the protocol's form for it. */
function encoded(text: string): string {
  if (isPlain(text) && !text.startsWith('=?base64?')) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function isPlain(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

/** Errors of HTTP have no id, and messages without an id get answers without one. */
function answers(value: Record<string, unknown>, id: string | number | null): boolean {
  return value['id'] === id || ('error' in value && value['id'] === null)
}

/** @throws any error of the work; when aborted, the signal's reason, at once */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal })
  return Promise.race([work, aborted]).finally(() => done.abort())
}

/**
 * The message on one line, with the id of the request filled in where the service could not know it:
 * refusals by HTTP have none.
 */
function addressed(
  text: string,
  value: Record<string, unknown>,
  id: string | number | null,
): string {
  if ('error' in value && value['id'] === null && id !== null) {
    return JSON.stringify({ ...value, id })
  }
  return /[\r\n]/.test(text) ? JSON.stringify(value) : text
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'The request failed.'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
