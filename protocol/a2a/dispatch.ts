import type { AbsenceOf } from '#src/core/commons/absence.ts'
import { Refusal } from '#src/core/errors.ts'
import { meantWords, nearest } from '#src/core/input/nearest.ts'
import { isMap } from '#src/core/maps.ts'
import { listsTasks } from '#src/core/text/chat.ts'
import { call } from '#src/core/words/reference.ts'
import type { Signpost } from '#src/core/words/signpost.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'
import { errorObject } from '#protocol/admission.ts'
import { requestHint } from './request-hint.ts'
import type { DoorRequest } from '#protocol/door.ts'
import {
  errorOf,
  errorText,
  idIn,
  requestIn,
  resultText,
  rpcCodes,
  type RpcId,
  type RpcRequest,
} from '#protocol/json-rpc.ts'
import type { Operation } from '#src/core/operation.ts'
import { namedCall } from '#src/documents/lookup/named-call.ts'
import { calledByName } from '#protocol/named-call.ts'
import type { Exchange } from './exchange.ts'
import { withoutMeta, type DirectMethods } from './methods.ts'
import {
  protocolMethod,
  protocolNames,
  versionAsked,
  type ProtocolMethod,
  type Version,
} from './names.ts'
import type { ProtocolSide } from './side.ts'

/** The answer to one request: a text, a stream of texts, or nothing for a notification. */
export interface Reply {
  text?: string | undefined
  events?: AsyncGenerator<string, void> | undefined
  refusal?: Refusal | undefined
}

export interface DispatcherOptions {
  direct: DirectMethods
  /** The operations that may be called by name, if any may. */
  callsByName: readonly Operation[] | undefined
  /** Leads to the direct methods. */
  signpost: Signpost
  /** Why there is no method of this name, if the operator has switched it off. */
  absent?: AbsenceOf | undefined
  /** The SDK is large, and most requests are for operations: it is loaded when first needed. */
  side: () => Promise<ProtocolSide>
  /** @throws Refusal `rate_limited` */
  count(exchange: Exchange): Promise<void>
}

/** Passes each request on: to an operation, or to the protocol in its version. */
export class Dispatcher {
  readonly #options: DispatcherOptions

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  async reply(value: unknown, exchange: Exchange, inBatch = false): Promise<Reply> {
    const read = requestIn(value)
    if ('fault' in read) {
      const meant = isMap(value) ? this.#options.direct.example(value['method']) : undefined
      return this.invalid(idIn(value), read.fault, exchange, requestHint(meant))
    }
    const { request } = read
    const { direct, callsByName } = this.#options
    if (callsByName && request.method === namedCall.name) {
      return this.#calledByName(request, callsByName, exchange)
    }
    if (direct.has(request.method)) return direct.answer(request, exchange)
    const reply = await this.#protocolReply(request, exchange, inBatch).catch((cause: unknown) =>
      refusedReply(cause, request.id ?? null, exchange),
    )
    // A notification is executed like any other request, and not answered.
    if (request.id !== undefined) return reply
    await reply.events?.return()
    return {}
  }

  /** The answer to a value that is not a valid request. */
  async invalid(
    id: RpcId,
    message: string,
    exchange: Exchange,
    hint = requestHint(),
  ): Promise<Reply> {
    try {
      await this.#options.count(exchange)
      const data = errorObject(422, message, exchange.requestId, hint)
      return { text: errorText(id, { code: rpcCodes.invalidRequest, message, data }) }
    } catch (cause) {
      return refusedReply(cause, id, exchange)
    }
  }

  /** As if the operation had been called by its own method. */
  async #calledByName(
    request: RpcRequest,
    operations: readonly Operation[],
    exchange: Exchange,
  ): Promise<Reply> {
    const { input, meta } = withoutMeta(request.params)
    const called = calledByName(input, { catalog: operations, absent: this.#options.absent })
    if (called.operation) {
      const { name: method } = called.operation
      const params = { ...called.input, ...meta }
      const { understood } = called
      return this.#options.direct.answer({ ...request, method, params }, exchange, understood)
    }
    try {
      await this.#options.count(exchange)
      throw called.refusal
    } catch (cause) {
      const reply = refusedReply(cause, request.id ?? null, exchange)
      return request.id === undefined ? {} : reply
    }
  }

  async #protocolReply(request: RpcRequest, exchange: Exchange, inBatch: boolean): Promise<Reply> {
    const { id = null } = request
    const named = protocolMethod(request.method)
    const asked = askedVersion(exchange.request)
    const version = versionAsked(asked)
    if (named && version === undefined) {
      await this.#options.count(exchange)
      const { methods, versionNotSupported } = await this.#options.side()
      const { error } = methods.failure(versionNotSupported(asked ?? ''), '1.0', exchange)
      return { text: errorText(id, error) }
    }
    if (!named || named.version !== version) return this.#unknown(request, named?.version, exchange)
    const side = await this.#options.side()
    if (inBatch && isStreaming(named.method)) {
      await this.#options.count(exchange)
      const { error } = side.methods.failure(side.streamInBatch(), version, exchange)
      return { text: errorText(id, error) }
    }
    const answer = await side.methods.answer(named.method, version, request, exchange)
    if ('result' in answer) return { text: resultText(id, answer.result) }
    if ('error' in answer) return { text: errorText(id, answer.error), refusal: answer.refusal }
    return streamed(answer.events, side, version, id, exchange)
  }

  async #unknown(
    { id = null, method }: RpcRequest,
    version: Version | undefined,
    exchange: Exchange,
  ): Promise<Reply> {
    await this.#options.count(exchange)
    const { signpost, absent, callsByName } = this.#options
    const byName = callsByName && { ...namedCall, said: namedCall.name }
    const refusal =
      ofProtocol(method, version, signpost) ??
      unknownOperation('method', method, signpost, absent, byName)
    const error = { ...errorOf(refusal, exchange), code: rpcCodes.methodNotFound }
    return { text: errorText(id, error) }
  }
}

/** The refusal for a method of another version of the protocol, or for one that is only spelled like one. */
function ofProtocol(
  method: string,
  version: Version | undefined,
  signpost: Signpost,
): Refusal | undefined {
  const message = `There is no method "${method.slice(0, 100)}".`
  if (version) {
    const hint = `It is a method of version ${version}: ${sayingVersion(version)}`
    return new Refusal('operation_not_found', message, { hint })
  }
  // Named as the others of 0.3 are, which has no list of tasks.
  if (method === 'tasks/list') {
    return new Refusal('operation_not_found', message, { hint: listsTasks })
  }
  const suggestion = method.includes('.') ? undefined : nearest(method, protocolNames)
  if (suggestion === undefined) return undefined
  const operation = signpost.operationMeant(method)
  const hint = `${meantWords(suggestion)}${operation ? ` Or ${call(operation.name)}?` : ''}`
  return new Refusal('operation_not_found', message, { hint, members: { suggestion } })
}

/** A stream whose first event has arrived; an earlier refusal is answered without a stream. */
async function streamed(
  results: AsyncGenerator<string, void>,
  { methods }: ProtocolSide,
  version: Version,
  id: RpcId,
  exchange: Exchange,
): Promise<Reply> {
  const failure = (cause: unknown) => methods.failure(cause, version, exchange)
  let first: IteratorResult<string, void>
  try {
    first = await results.next()
  } catch (cause) {
    const { error, refusal } = failure(cause)
    return { text: errorText(id, error), refusal }
  }
  async function* texts(): AsyncGenerator<string, void> {
    try {
      if (!first.done) yield resultText(id, first.value)
      for await (const result of results) yield resultText(id, result)
    } catch (cause) {
      yield errorText(id, failure(cause).error)
    } finally {
      await results.return()
    }
  }
  return { events: texts() }
}

/** @throws any error that is not a refusal */
function refusedReply(cause: unknown, id: RpcId, exchange: Exchange): Reply {
  if (!(cause instanceof Refusal)) throw cause
  return { text: errorText(id, errorOf(cause, exchange)), refusal: cause }
}

/** By header, or by the query of the address for clients that cannot set one. */
function askedVersion({ headers, query }: DoorRequest): string | null | undefined {
  return headers['a2a-version'] ?? query.get('A2A-Version')
}

function sayingVersion(version: Version): string {
  return version === '1.0'
    ? 'send the header "A2A-Version: 1.0".'
    : 'send no header "A2A-Version", or "0.3".'
}

function isStreaming(method: ProtocolMethod): boolean {
  return method === 'SendStreamingMessage' || method === 'SubscribeToTask'
}
