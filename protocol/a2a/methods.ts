import { createJSONRPCErrorResponse, JSONRPCServer } from 'json-rpc-2.0'
import type { Answer } from '#src/core/answer.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Understood } from '#src/core/input/understood.ts'
import { isMap } from '#src/core/maps.ts'
import type { Operation } from '#src/core/operation.ts'
import { errorOf, errorText, resultText, rpcCodes, type RpcRequest } from '#protocol/json-rpc.ts'
import { failedHere } from '#src/core/admission/faults.ts'
import type { Exchange } from './exchange.ts'

/** A method's answer: its text, and the refusal in it, if any. */
export interface MethodAnswer {
  text: string | undefined
  refusal?: Refusal | undefined
}

/** One call in the library, which has no member for the details of a refusal. */
interface MethodCall {
  exchange: Exchange
  /** How the door itself understood the params. */
  understood?: readonly Understood[] | undefined
  refusal?: Refusal
}

/** Every operation as a JSON-RPC method of its own name: params are its input, the result its output. */
export class DirectMethods {
  readonly #server = new JSONRPCServer<MethodCall>({ errorListener: () => undefined })

  readonly #operations: readonly Operation[]

  constructor(operations: readonly Operation[]) {
    this.#operations = operations
    for (const op of operations) {
      this.#server.addMethod(op.name, (params: unknown, call) => answerOf(op, params, call))
    }
    // By default the library discloses the thrown error. Refusals are answered by `answer`.
    this.#server.mapErrorToJSONRPCErrorResponse = (id) =>
      createJSONRPCErrorResponse(id, rpcCodes.internalError, failedHere)
  }

  has(name: string): boolean {
    return this.#server.hasMethod(name)
  }

  /** The call of a method that works, or would with the reader's own ids. */
  example(name: unknown): { method: string; params: object } | undefined {
    const op = this.#operations.find((one) => one.name === name)
    return op && { method: op.name, params: op.example }
  }

  async answer(
    request: RpcRequest,
    exchange: Exchange,
    understood?: readonly Understood[],
  ): Promise<MethodAnswer> {
    const call: MethodCall = { exchange, understood }
    const response = await this.#server.receive(request, call)
    if (!response) return { text: undefined }
    const { id, error } = response
    const { refusal } = call
    if (refusal) return { text: errorText(id, errorOf(refusal, exchange)), refusal }
    if (error) return { text: errorText(id, error) }
    // `answerOf` returns nothing else, and the library passes it on unchanged.
    const { text } = response.result as Answer
    return { text: resultText(id, text) }
  }
}

/** @throws Refusal, which is then also stored in the call */
async function answerOf(op: Operation, params: unknown, call: MethodCall): Promise<Answer> {
  const { exchange, understood } = call
  const { input, ...about } = inputOf(params)
  const { answer, refusal } = await exchange.serve(op, input, { ...about, understood })
  if (!refusal) return answer
  const isPositional = Array.isArray(params) && refusal.code === 'invalid_input'
  call.refusal = isPositional ? positional(op) : refusal
  throw call.refusal
}

function positional({ example }: Operation): Refusal {
  return new Refusal('invalid_input', 'Params are an object: its members have names.', {
    hint: `For example ${JSON.stringify(example)}.`,
  })
}

/** Params without `_meta`, which describes the call and is not part of the input. */
function inputOf(params: unknown): {
  input: unknown
  idempotencyKey?: string
  meta?: Readonly<Record<string, unknown>>
} {
  if (params === undefined) return { input: {} }
  if (typeof params !== 'object' || params === null || !('_meta' in params)) {
    return { input: params }
  }
  const { _meta: meta, ...input } = params
  if (!isMap(meta)) return { input }
  if (!('idempotency-key' in meta)) return { input, meta }
  const key = meta['idempotency-key']
  // A value that is not a text is passed on as a key that the core refuses by its own rule.
  return { input, meta, idempotencyKey: typeof key === 'string' ? key : '' }
}

/** Params with `_meta` apart, in the form in which it is sent. */
export function withoutMeta(params: unknown): { input: unknown; meta?: { _meta: unknown } } {
  if (typeof params !== 'object' || params === null || !('_meta' in params)) {
    return { input: params }
  }
  const { _meta, ...input } = params
  return { input, meta: { _meta } }
}
