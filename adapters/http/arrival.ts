import type { IncomingMessage } from 'node:http'
import type { Addresses } from './address.ts'
import { requestIdOf, traceparentOf } from './trace.ts'

/** What is known of a request before it is examined further. */
export interface Arrival {
  requestId: string
  traceparent: string | undefined
  /** The caller's network. */
  address: string
}

/** A request that met no operation. */
export interface RefusedRequest {
  requestId: string
  /** How long it took until it was refused. */
  seconds: number
}

export function arrivalOf(request: IncomingMessage, addresses: Addresses): Arrival {
  const { headers, socket } = request
  return {
    requestId: requestIdOf(headers['x-request-id']),
    traceparent: traceparentOf(headers['traceparent']),
    address: addresses.of(socket.remoteAddress, headers),
  }
}
