import type { Serving } from '#protocol/runs.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Calls as the sender of an exchange.
 * @param own ends a call that has no signal of its own
 * @param always `counted` where the request is counted already, and its calls are a part of it
 */
export function servingAs(
  exchange: Exchange,
  own: AbortSignal,
  always?: { counted: true },
): Serving {
  return {
    serve: (operation, input, { signal = own, follow, counted } = {}) =>
      exchange.serve(operation, input, undefined, signal, { follow, counted, ...always }),
  }
}

/**
 * A stream of the sender's own, which is counted while it is open; what is read for it is not.
 * @param own ends a call that has no signal of its own
 */
export function followingAs(exchange: Exchange, own: AbortSignal): Serving {
  return {
    serve: (operation, input, { signal = own, follow } = {}) =>
      exchange.serve(operation, input, undefined, signal, { follow, counted: follow !== true }),
  }
}
