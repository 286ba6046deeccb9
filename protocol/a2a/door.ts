import { challengeOf, scopeToAskFor } from '#src/core/words/challenge.ts'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import { awayRefusal, loggedRefusal } from '#src/core/admission/faults.ts'
import { Refusal } from '#src/core/errors.ts'
import { inMethods } from '#src/core/words/doors.ts'
import { Signpost } from '#src/core/words/signpost.ts'
import { offered } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { bearerOf, checkAdmitted, endedBy, limitHeaders, type Sender } from '#protocol/admission.ts'
import type { Door, DoorAnswer, DoorRequest } from '#protocol/door.ts'
import { namedCall } from '#src/documents/lookup/named-call.ts'
import { calledByName, takesNamedCalls } from '#protocol/named-call.ts'
import { batchFault, errorOf, errorText, idIn } from '#protocol/json-rpc.ts'
import type { Words } from '#src/core/words/reference.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Core } from '#src/core/door.ts'
import { understoodHeader } from '#src/core/input/understood.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Log } from '#src/ports/log.ts'
import { Unavailable } from '#src/ports/store.ts'
import type { Policies } from '#protocol/policies.ts'
import { answered, echoedExtensions, objection, refused } from './admission.ts'
import { batchTexts } from './batch.ts'
import { Dispatcher, type Reply } from './dispatch.ts'
import { Exchange } from './exchange.ts'
import { DirectMethods, withoutMeta } from './methods.ts'
import { versionAsked } from './names.ts'
import type { A2aDoor, A2aDoorOptions } from './options.ts'
import type { ProtocolSide, SideOptions } from './side.ts'
import { cardKey } from './card/signature.ts'
import { eventStream } from './stream.ts'

/** The door for agents that speak A2A 1.0 or 0.3, and for clients that call operations by JSON-RPC. */
export function a2aDoor(options: A2aDoorOptions): A2aDoor {
  const operations = options.operations ?? offered(options.core.catalog)
  const key = cardKey(options.sealer)
  const openedAt = options.clock.now().toUTCString()
  const side = async (shared: SharedSide) => {
    const { protocolSide } = await import('./side.ts')
    return protocolSide({ ...options, operations, key, ...shared })
  }
  const door = new JsonRpcDoor({
    ...options,
    operations,
    words: inMethods(operations, options.core.catalog, options.publicUrl),
    side,
    echoed: (headers) => echoedExtensions(headers, options.publicUrl),
  })
  return {
    handle: (request) => door.handle(request),
    close: () => door.close(),
    keySet: () => key.keySet,
    async card(version) {
      const side = await door.side()
      const form = versionAsked(version) === '1.0' ? '1.0' : '0.3'
      return { ...(await side.card(form)), lastModified: openedAt }
    },
  }
}

/** What the protocol's methods share with their door. */
export type SharedSide = Pick<SideOptions, 'closing' | 'count'>

/** The options of a JSON-RPC door. */
export interface JsonRpcDoorOptions<S extends ProtocolSide> extends Policies {
  core: Core
  clock: Clock
  log: Log
  /** The operations offered as direct methods. */
  operations: readonly Operation[]
  /** How the door names calls in its refusals. */
  words: Words
  /** The protocol's methods; created when first needed. */
  side: (shared: SharedSide) => Promise<S>
  /** Why there is no method of this name, if the operator has switched it off. */
  absent?: AbsenceOf
  /** Which extensions of the protocol the answer declares as active. */
  echoed?: (headers: DoorRequest['headers']) => Record<string, string>
  /** Counts the protocol's own methods, which are not operations and so are not counted by the core. */
  admit?: (who: Sender) => LimitState | Promise<LimitState> | undefined
}

interface Identified {
  exchange: Exchange
  /** Why the credential is no longer valid, if the core may still have an answer for it. */
  ended?: Refusal
}

/** JSON-RPC requests, single or in batches, with any set of methods. */
export class JsonRpcDoor<S extends ProtocolSide> implements Door {
  readonly #options: JsonRpcDoorOptions<S>
  readonly #dispatcher: Dispatcher
  readonly #closing = new AbortController()
  #side: Promise<S> | undefined

  constructor(options: JsonRpcDoorOptions<S>) {
    this.#options = options
    const { operations } = options
    this.#dispatcher = new Dispatcher({
      direct: new DirectMethods(operations),
      callsByName: takesNamedCalls(operations) ? operations : undefined,
      signpost: new Signpost(options.core.catalog, operations),
      absent: options.absent,
      side: () => this.side(),
      count: (exchange) => this.#count(exchange),
    })
  }

  async handle(request: DoorRequest): Promise<DoorAnswer> {
    try {
      const objected = objection(request, this.#options)
      if (objected) return objected
      const { exchange, ended } = await this.#identified(request)
      const answer = Array.isArray(request.body)
        ? await this.#batch(request.body, exchange)
        : await this.#single(request.body, exchange, ended)
      const echo = this.#options.echoed?.(request.headers)
      const told = understoodHeader(exchange.understood)
      Object.assign(answer.headers, limitHeaders(exchange.limit), told, echo)
      return exchange.secret ? { ...answer, secret: true } : answer
    } catch (cause) {
      return this.#failure(cause, request)
    }
  }

  close(): Promise<void> {
    this.#closing.abort()
    return Promise.resolve()
  }

  /** The protocol's methods, which need its library. */
  side(): Promise<S> {
    const count = (exchange: Exchange): Promise<void> => this.#count(exchange)
    this.#side ??= this.#options.side({ closing: this.#closing.signal, count })
    return this.#side
  }

  /** @throws Refusal `invalid_credential`; `rate_limited` for an address that tries too many */
  async #identified(request: DoorRequest): Promise<Identified> {
    const { core, words } = this.#options
    let credential: string | undefined
    try {
      credential = bearerOf(request)
      if (credential === undefined) return { exchange: new Exchange(core, request, { words }) }
      const caller = await core.identify(credential)
      return { exchange: new Exchange(core, request, { words, credential, caller }) }
    } catch (cause) {
      const ended = endedBy(this.#calledBy(request.body), cause)
      if (ended) return { exchange: new Exchange(core, request, { words, credential }), ended }
      if (cause instanceof Refusal && cause.kind === 'unauthenticated') {
        await this.#admit({ subject: undefined, address: request.address })
      }
      throw cause
    }
  }

  /** The called operation, if it is called by its own name and not in a batch. */
  #calledBy(body: unknown): Operation | undefined {
    if (typeof body !== 'object' || body === null || !('method' in body)) return undefined
    const { operations } = this.#options
    const isByName = body.method === namedCall.name && takesNamedCalls(operations)
    if (!isByName) return operations.find(({ name }) => name === body.method)
    const { input } = withoutMeta('params' in body ? body.params : undefined)
    return calledByName(input, { catalog: operations }).operation
  }

  async #single(
    body: unknown,
    exchange: Exchange,
    ended: Refusal | undefined,
  ): Promise<DoorAnswer> {
    const reply = await this.#dispatcher.reply(body, exchange)
    if (ended && !exchange.isAnswered) {
      if (!exchange.limit) await this.#count(exchange)
      throw reply.refusal ?? ended
    }
    return this.#sent(reply, exchange)
  }

  async #batch(batch: readonly unknown[], exchange: Exchange): Promise<DoorAnswer> {
    const fault = batchFault(batch)
    if (fault !== undefined) {
      return this.#sent(await this.#dispatcher.invalid(null, fault, exchange), exchange)
    }
    const { clock } = this.#options
    const texts = await batchTexts(batch, exchange.requestId, clock, (entry) =>
      this.#dispatcher.reply(entry, exchange, true),
    )
    return answered(texts.length === 0 ? undefined : `[${texts.join(',')}]`)
  }

  #sent({ text, events, refusal }: Reply, { credential }: Exchange): DoorAnswer {
    if (events) return eventStream(events, this.#options.clock)
    const answer = answered(text)
    // Programs ask their person, for the first time or again, where HTTP says so.
    if (refusal && asksPerson(refusal)) {
      const challenge = challengeOf(refusal, this.#options.words) ?? ''
      return {
        ...answer,
        status: refusal.status,
        headers: { ...answer.headers, 'www-authenticate': challenge },
      }
    }
    // An address over its limit is refused by HTTP, an account in band.
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

  /** The answer to errors of the whole request: its sender, its rate, or an internal error. */
  #failure(cause: unknown, request: DoorRequest): DoorAnswer {
    const { requestId } = request
    const telling = { requestId, words: this.#options.words }
    if (cause instanceof Refusal) {
      const inHttp =
        cause.kind === 'unauthenticated' ||
        cause.kind === 'rate_limited' ||
        cause.code === 'account_suspended'
      const challenge = challengeOf(cause, telling.words)
      const headers = {
        ...(challenge !== undefined && { 'www-authenticate': challenge }),
        ...retryAfter(cause),
      }
      return refused(request, inHttp ? cause.status : 200, errorOf(cause, telling), headers)
    }
    const fields = { request_id: requestId, cause }
    if (cause instanceof Unavailable) {
      this.#options.log.warn('the store is unavailable', fields)
      return answered(errorText(idIn(request.body), errorOf(awayRefusal(cause), telling)))
    }
    this.#options.log.error('the A2A door failed', fields)
    const refusal = loggedRefusal(requestId)
    return answered(errorText(idIn(request.body), errorOf(refusal, telling)))
  }
}

function asksPerson(refusal: Refusal): boolean {
  return refusal.code === 'unauthenticated' || scopeToAskFor(refusal) !== undefined
}

function retryAfter({ retryAfterSeconds: seconds }: Refusal): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}
