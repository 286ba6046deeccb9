import { Refusal } from '#src/core/errors.ts'
import { offered, type Operation } from '#src/core/operation.ts'
import { bearerOf, checkAdmitted, limitHeaders, type Sender } from '#protocol/admission.ts'
import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import { batchFault, errorOf, errorText, idIn } from '#protocol/json-rpc.ts'
import { answered, echoedExtensions, objection, refused } from './admission.ts'
import { Dispatcher, type Reply } from './dispatch.ts'
import { Exchange } from './exchange.ts'
import { DirectMethods } from './methods.ts'
import { versionAsked } from './names.ts'
import type { A2aDoor, A2aDoorOptions, CardText, JwkSet } from './options.ts'
import type { ProtocolSide } from './side.ts'
import { cardKey, type CardKey } from './card/signature.ts'
import { eventStream } from './stream.ts'

/** The door for agents that speak A2A 1.0 or 0.3, and for whoever calls operations by JSON-RPC. */
export function a2aDoor(options: A2aDoorOptions): A2aDoor {
  return new JsonRpcDoor(options)
}

class JsonRpcDoor implements A2aDoor {
  readonly #options: A2aDoorOptions
  readonly #operations: readonly Operation[]
  readonly #dispatcher: Dispatcher
  readonly #key: CardKey
  readonly #openedAt: string
  readonly #closing = new AbortController()
  #side: Promise<ProtocolSide> | undefined

  constructor(options: A2aDoorOptions) {
    this.#options = options
    this.#operations = options.operations ?? offered(options.core.catalog)
    this.#key = cardKey(options.sealer)
    this.#openedAt = options.clock.now().toUTCString()
    this.#dispatcher = new Dispatcher({
      direct: new DirectMethods(this.#operations),
      names: this.#operations.map((op) => op.name),
      side: () => this.#protocolSide(),
      count: (exchange) => this.#count(exchange),
    })
  }

  async handle(request: DoorRequest): Promise<DoorAnswer> {
    try {
      const objected = objection(request, this.#options)
      if (objected) return objected
      const exchange = await this.#identified(request)
      const answer = Array.isArray(request.body)
        ? await this.#batch(request.body, exchange)
        : this.#sent(await this.#dispatcher.reply(request.body, exchange), exchange)
      const echo = echoedExtensions(request.headers, this.#options.publicUrl)
      Object.assign(answer.headers, limitHeaders(exchange.limit), echo)
      return exchange.secret ? { ...answer, secret: true } : answer
    } catch (cause) {
      return this.#failure(cause, request)
    }
  }

  async card(version?: string): Promise<CardText> {
    const side = await this.#protocolSide()
    const form = versionAsked(version) === '1.0' ? '1.0' : '0.3'
    return { ...(await side.card(form)), lastModified: this.#openedAt }
  }

  keySet(): JwkSet {
    return this.#key.keySet
  }

  close(): Promise<void> {
    this.#closing.abort()
    return Promise.resolve()
  }

  #protocolSide(): Promise<ProtocolSide> {
    this.#side ??= import('./side.ts').then(({ protocolSide }) =>
      protocolSide({
        ...this.#options,
        operations: this.#operations,
        key: this.#key,
        closing: this.#closing.signal,
        count: (exchange) => this.#count(exchange),
      }),
    )
    return this.#side
  }

  /** @throws Refusal `invalid_credential`; `rate_limited` for an address that tries too many */
  async #identified(request: DoorRequest): Promise<Exchange> {
    const { core } = this.#options
    try {
      const credential = bearerOf(request)
      if (credential === undefined) return new Exchange(core, request)
      return new Exchange(core, request, credential, await core.identify(credential))
    } catch (cause) {
      if (cause instanceof Refusal && cause.kind === 'unauthenticated') {
        await this.#admit({ subject: undefined, address: request.address })
      }
      throw cause
    }
  }

  async #batch(batch: readonly unknown[], exchange: Exchange): Promise<DoorAnswer> {
    const fault = batchFault(batch)
    if (fault !== undefined) {
      return this.#sent(await this.#dispatcher.invalid(null, fault, exchange), exchange)
    }
    const entries = batch.map((entry) => this.#dispatcher.reply(entry, exchange, true))
    const texts = (await Promise.all(entries)).flatMap(({ text }) => text ?? [])
    return answered(texts.length === 0 ? undefined : `[${texts.join(',')}]`)
  }

  #sent({ text, events, refusal }: Reply, { credential }: Exchange): DoorAnswer {
    if (events) return eventStream(events, this.#options.clock)
    const answer = answered(text)
    // An address that is over its limit is refused by HTTP, an account in band.
    if (refusal?.kind !== 'rate_limited' || credential !== undefined) return answer
    return { ...answer, status: 429, headers: { ...answer.headers, ...retryAfter(refusal) } }
  }

  async #count(exchange: Exchange): Promise<void> {
    const { caller, request } = exchange
    const who = { subject: caller.subject, address: request.address }
    exchange.limit = (await this.#options.admit?.(who)) ?? exchange.limit
    checkAdmitted(exchange.limit)
  }

  async #admit(who: Sender): Promise<void> {
    checkAdmitted(await this.#options.admit?.(who))
  }

  /** What concerns the whole request: who sends it, how often, or a fault of ours. */
  #failure(cause: unknown, request: DoorRequest): DoorAnswer {
    const { requestId } = request
    if (cause instanceof Refusal) {
      const inHttp = cause.kind === 'unauthenticated' || cause.kind === 'rate_limited'
      const headers = { ...challenge(cause), ...retryAfter(cause) }
      return refused(request, inHttp ? cause.status : 200, errorOf(cause, requestId), headers)
    }
    this.#options.log.error('the A2A door failed', { request_id: requestId, cause })
    const refusal = new Refusal('internal_error', 'The server failed at this request.', {
      hint: `It was logged as ${requestId}.`,
    })
    return answered(errorText(idIn(request.body), errorOf(refusal, requestId)))
  }
}

function challenge({ kind }: Refusal): Record<string, string> {
  return kind === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}
}

function retryAfter({ retryAfterSeconds: seconds }: Refusal): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}
