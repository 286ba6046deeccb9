import { A2AError, ExtendedAgentCardNotConfiguredError } from '@a2a-js/sdk/errors'
import {
  type A2ARequestHandler,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { Refusal } from '#src/core/errors.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Log } from '#src/ports/log.ts'
import { Unavailable } from '#src/ports/store.ts'
import { errorOf, rpcCodes, type RpcError, type RpcRequest } from '#protocol/json-rpc.ts'
import { awayRefusal, loggedRefusal } from '#src/core/admission/faults.ts'
import { paramsFault } from './checks.ts'
import { detailsOf, detailsOfError } from './errors/details.ts'
import { InvalidParams } from './errors/invalid-params.ts'
import type { Exchange } from './exchange.ts'
import { noPush } from './refusals.ts'
import { inCamelCase } from './request/member-names.ts'
import type { ProtocolMethod, Version } from './names.ts'

/** The answer of a protocol method: a JSON text, or a stream of them. */
export type ProtocolAnswer =
  | { result: string }
  | { events: AsyncGenerator<string, void> }
  | ProtocolFailure

export interface ProtocolFailure {
  error: RpcError
  /** If it is one of the core's. */
  refusal?: Refusal
}

/** The protocol's methods, for one request. */
export interface MethodHandler extends A2ARequestHandler {
  /** A thrown error: the SDK keeps its message alone, and shows that of any. */
  fault: unknown
}

/** The methods of a door, and their implementation. */
export interface MethodOptions {
  clock: Pick<Clock, 'turn'>
  log: Log
  /** @throws Refusal `rate_limited` */
  count(exchange: Exchange): Promise<void>
  handler(exchange: Exchange, version: Version): MethodHandler
  /** Whether a method calls operations, each of which the core counts. */
  countsItself(method: ProtocolMethod): boolean
  /** It sends notifications of its tasks. */
  hasPush?: boolean
  /** The agent has more to show than its public card. */
  hasExtendedCard?: boolean
}

/** The methods of A2A itself, of both versions. */
export class ProtocolMethods {
  readonly #options: MethodOptions

  constructor(options: MethodOptions) {
    this.#options = options
  }

  async answer(
    method: ProtocolMethod,
    version: Version,
    { method: name, params: sent }: RpcRequest,
    exchange: Exchange,
  ): Promise<ProtocolAnswer> {
    const { clock } = this.#options
    try {
      await exchange.step(clock)
      const params = version === '1.0' ? inCamelCase(sent) : sent
      const fault = objectionTo(method, version, params, this.#options)
      if (fault || !this.#options.countsItself(method)) await this.#options.count(exchange)
      if (fault) return this.failure(fault, version, exchange)
      await exchange.step(clock)
      const messages = this.#options.handler(exchange, version)
      const handler =
        version === '1.0'
          ? new JsonRpcTransportHandler(messages)
          : new LegacyJsonRpcTransportHandler(messages)
      const context = new ServerCallContext({ requestedVersion: version })
      // Our id is used: the SDK accepts fewer ids than JSON-RPC allows.
      const request = { jsonrpc: '2.0', id: null, method: name, params: params ?? {} }
      const response = await handler.handle(request, context)
      if (Symbol.asyncIterator in response) return { events: resultsOf(response) }
      if (messages.fault !== undefined) throw messages.fault
      // The SDK declares no type for its answers.
      const { error, result } = response as { error?: RpcError; result?: unknown }
      if (error) return { error: ofLibrary(error, exchange) }
      await exchange.step(clock)
      return { result: JSON.stringify(result) }
    } catch (cause) {
      return this.failure(cause, version, exchange)
    }
  }

  /** A thrown error, as an error of the protocol or as a refusal. */
  failure(cause: unknown, version: Version, exchange: Exchange): ProtocolFailure {
    if (cause instanceof A2AError) {
      const { code, message } = codeOf(cause, version)
      return { error: { code, message, data: detailsOfError(cause, exchange.requestId) } }
    }
    if (cause instanceof InvalidParams) return { error: ofParams(cause, exchange) }
    const refusal = this.#refusalOf(cause, exchange)
    const { data: _once, ...error } = errorOf(refusal, exchange)
    const data = detailsOf(refusal.toObject(exchange.requestId, exchange.words))
    return { error: { ...error, data }, refusal }
  }

  #refusalOf(cause: unknown, { requestId }: Exchange): Refusal {
    if (cause instanceof Refusal) return cause
    const fields = { request_id: requestId, cause }
    if (cause instanceof Unavailable) {
      this.#options.log.warn('the store is unavailable', fields)
      return awayRefusal(cause, 'Send the same message again, with the same messageId.')
    }
    this.#options.log.error('a method of the A2A protocol failed', fields)
    return loggedRefusal(requestId, cause)
  }
}

function objectionTo(
  method: ProtocolMethod,
  version: Version,
  params: unknown,
  { hasPush, hasExtendedCard }: MethodOptions,
): Error | undefined {
  if (!hasPush && method.includes('PushNotificationConfig')) {
    return noPush()
  }
  if (!hasExtendedCard && method === 'GetExtendedAgentCard' && version === '0.3') {
    // Only 0.3 has this error for an agent that never offered such a card.
    return new ExtendedAgentCardNotConfiguredError()
  }
  return paramsFault(method, version, params)
}

function codeOf(error: A2AError, version: Version): RpcError {
  return version === '1.0'
    ? JsonRpcTransportHandler.mapToJSONRPCError(error)
    : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
}

/** Who reads the message alone reads there what to do, too. */
function ofParams({ message: detail, errors, hint }: InvalidParams, exchange: Exchange): RpcError {
  const object = {
    detail,
    code: 'invalid_input',
    errors,
    ...(hint !== undefined && { hint }),
    request_id: exchange.requestId,
  }
  const message = hint === undefined ? detail : `${detail.replace(/\.$/, '')}. ${hint}`
  return { code: rpcCodes.invalidParams, message, data: detailsOf(object) }
}

/** An error that the library found by itself, in the form of all others. */
function ofLibrary({ code, message: detail }: RpcError, { requestId }: Exchange): RpcError {
  const name = code === rpcCodes.internalError ? 'internal_error' : 'invalid_input'
  return { code, message: detail, data: detailsOf({ detail, code: name, request_id: requestId }) }
}

async function* resultsOf(responses: AsyncIterable<object>): AsyncGenerator<string, void> {
  for await (const response of responses) {
    yield JSON.stringify('result' in response ? response.result : null)
  }
}
