import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { Streams } from '#src/core/admission/streams.ts'
import { anonymous, type Caller } from '#src/core/admission/caller.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Clock } from '#src/ports/clock.ts'
import { bearerOf, checkAdmitted, endedBy, limitHeaders, type Sender } from '#protocol/admission.ts'
import type { Door, DoorAnswer, DoorRequest } from '#protocol/door.ts'
import { failedHere, stopRefusal } from '#src/core/admission/faults.ts'
import { understoodHeader } from '#src/core/input/understood.ts'
import { scopeToAskFor } from '#src/core/words/challenge.ts'
import { everything, objection, objectionToForm, selectionOf } from './admission.ts'
import { Exchange, PlainRequest } from './exchange.ts'
import { cutFrames } from './frames.ts'
import { withArguments, withErrorObject } from './faults.ts'
import type { McpDoorOptions } from './options.ts'
import { refused, refusedBy } from './refusals.ts'
import { furnish, furnishInPortions, serverFor, type Furnishing } from './server.ts'
import { isObject } from './short-form.ts'
import { ShortPath } from './short-path.ts'
import type { Selection } from './tools.ts'
import { Subscriptions } from './subscriptions.ts'

/**
 * The door for MCP clients: stateless Streamable HTTP, POST only, for the 2026-07-28 revision and the
 * 2025 ones at one address.
 * @throws Error when hosts would refuse the tools of the catalog
 */
export function mcpDoor(options: McpDoorOptions): Door {
  return new McpDoor(options, furnish(options))
}

/**
 * The same, made in portions, each in a turn of the event loop of its own.
 * @throws Error when hosts would refuse the tools of the catalog
 */
export async function openMcpDoor(
  options: McpDoorOptions,
  clock: Pick<Clock, 'turn' | 'monotonic'>,
): Promise<Door> {
  return new McpDoor(options, await furnishInPortions(options, clock), () => turnOf(clock))
}

interface Identified extends Sender {
  credential?: string | undefined
  caller?: Caller
  /** Why the credential is no longer valid, if the core may still have an answer for it. */
  ended?: Refusal
}

class McpDoor implements Door {
  readonly #options: McpDoorOptions
  readonly #furnishing: Furnishing
  readonly #handler: McpHttpHandler
  readonly #subscriptions: Subscriptions
  #shortPath: ShortPath | undefined
  #closed = false

  constructor(options: McpDoorOptions, furnishing: Furnishing, rest?: () => Promise<void>) {
    const { log, stage } = options
    this.#options = options
    this.#furnishing = furnishing
    this.#subscriptions = new Subscriptions(
      options.core,
      this.#furnishing,
      options.streams ?? new Streams(),
      options.listening,
    )
    this.#handler = createMcpHandler(
      // The request is the one that `#bySdk` passes on.
      ({ requestInfo, era }) => {
        if (!(requestInfo instanceof PlainRequest)) throw new Error('a request of another door')
        return serverFor(this.#furnishing, requestInfo.exchange, era)
      },
      {
        ...(stage && { bus: stage.bus }),
        onerror: (error) => log.debug('an MCP request was refused', { reason: error.message }),
      },
    )
    if (!stage) void this.#openShortPath(rest)
  }

  /** Until the SDK's answers are cut, or if they cannot be, the SDK answers itself. */
  async #openShortPath(rest?: () => Promise<void>): Promise<void> {
    try {
      const frames = await cutFrames(this.#furnishing, rest)
      this.#shortPath = new ShortPath(this.#furnishing, frames)
    } catch (cause) {
      this.#options.log.warn('the MCP door has no short path', { cause })
    }
  }

  async handle(request: DoorRequest): Promise<DoorAnswer> {
    try {
      return objection(request, this.#options) ?? (await this.#admitted(request))
    } catch (cause) {
      if (cause instanceof Refusal) return refusedBy(request, cause, this.#furnishing.words)
      const fields = { request_id: request.requestId, cause }
      this.#options.log.error('the MCP door failed', fields)
      return refused(request, {
        status: 500,
        code: -32603,
        message: failedHere,
        data: { request_id: request.requestId },
      })
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#subscriptions.close()
    await this.#handler.close()
  }

  async #admitted(sent: DoorRequest): Promise<DoorAnswer> {
    if (this.#closed) throw stopRefusal()
    const { request, understood: read } = withArguments(sent) ?? { request: sent }
    const called = this.#calledBy(request.body)
    const {
      credential,
      subject,
      caller = anonymous,
      ended,
    } = await this.#identified(request, called)
    const selection = selectionOf(request.query, this.#furnishing.tools.toolsets)
    const exchange = this.#exchange(request, credential, selection)
    exchange.read = read
    const sender = { subject, address: request.address }
    const malformed = objectionToForm(request, this.#furnishing)
    // The core counts operation calls itself.
    if (!called || malformed) await this.#count(sender, exchange)
    if (malformed) return malformed
    const short = this.#shortPath?.recognise(request, selection)
    const answer = short
      ? await this.#shortPath?.answer(short, exchange)
      : ((await this.#subscriptions.listen(exchange, caller)) ?? (await this.#bySdk(exchange)))
    if (!answer) throw new Error('the short path recognised what it cannot answer')
    if (ended) await whole(answer)
    // What a program was not allowed is told by HTTP, which can be said only until a stream has begun.
    if (caller?.kind === 'key' && caller.connection) await begun(answer)
    const { refusal } = exchange
    if (ended && !exchange.isAnswered) {
      if (!exchange.limit) await this.#count(sender, exchange)
      throw refusal ?? ended
    }
    // An address over its limit is refused by HTTP, an account in band.
    if (credential === undefined && refusal?.kind === 'rate_limited') throw refusal
    // Programs ask their person again where HTTP says so.
    if (refusal && scopeToAskFor(refusal) !== undefined) throw refusal
    // A call that the SDK refused for its form has not been counted by the core.
    if (!exchange.wasCounted) await this.#count(sender, exchange)
    const { limit, understood } = exchange
    Object.assign(answer.headers, limitHeaders(limit), understoodHeader(understood))
    return exchange.secret ? { ...answer, secret: true } : answer
  }

  #exchange(request: DoorRequest, credential: string | undefined, selection: Selection): Exchange {
    const { words } = this.#furnishing
    const { core, signsInAt } = this.#options
    return new Exchange(core, request, { credential, selection, words, signsInAt })
  }

  /** The called operation, if there is one. */
  #calledBy(body: unknown): Operation | undefined {
    if (!isObject(body) || body['method'] !== 'tools/call' || !isObject(body['params'])) {
      return undefined
    }
    const { name, arguments: input } = body['params']
    if (typeof name !== 'string') return undefined
    return this.#furnishing.tools.called(name, input ?? {}, everything)?.operation
  }

  /** @throws Refusal `invalid_credential`; `rate_limited` for an address that tries too many */
  async #identified(request: DoorRequest, called: Operation | undefined): Promise<Identified> {
    const { address } = request
    let credential: string | undefined
    try {
      credential = bearerOf(request)
      if (credential === undefined) return { subject: undefined, address }
      const caller = await this.#options.core.identify(credential)
      return { credential, caller, subject: caller.subject, address }
    } catch (cause) {
      const ended = endedBy(called, cause)
      if (ended) return { credential, subject: undefined, address, ended }
      if (cause instanceof Refusal && cause.kind === 'unauthenticated') {
        await this.#count({ subject: undefined, address })
      }
      throw cause
    }
  }

  /** @throws Refusal `rate_limited` */
  async #count(who: Sender, exchange?: Exchange): Promise<void> {
    const counted = this.#options.admit?.(who)
    const state = counted instanceof Promise ? await counted : counted
    if (exchange) {
      exchange.limit = state
      exchange.wasCounted = true
    }
    checkAdmitted(state)
  }

  async #bySdk(exchange: Exchange): Promise<DoorAnswer> {
    const { body } = exchange.request
    const request = new PlainRequest(exchange).asRequest()
    const response = await this.#handler.fetch(request, { parsedBody: body })
    const headers = Object.fromEntries(response.headers)
    const isJson = headers['content-type']?.startsWith('application/json') === true
    return {
      status: response.status,
      headers,
      body: isJson ? await jsonOf(response, exchange.request) : (response.body ?? undefined),
    }
  }
}

async function jsonOf(response: Response, request: DoorRequest): Promise<string> {
  const text = await response.text()
  return response.ok ? text : withErrorObject(text, response.status, request)
}

/** A stream begins before the outcome of the call is known. */
async function whole(answer: DoorAnswer): Promise<void> {
  if (answer.body instanceof ReadableStream) answer.body = await new Response(answer.body).text()
}

/** Waits until the stream of an answer has begun: for its first part, or its end. */
async function begun(answer: DoorAnswer): Promise<void> {
  if (!(answer.body instanceof ReadableStream)) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = answer.body.getReader()
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read()
  answer.body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await reader.read())
        first = undefined
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
