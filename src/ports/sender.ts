/** A request to an address that somebody else named: the one way out of the server. */
export interface Outbound {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** Longest time for all of it, in milliseconds; at most and by default 20,000. */
  timeoutMs?: number
  /** Redirects that are followed, each checked anew; by default 3, for webhooks 0. */
  redirects?: number
  signal?: AbortSignal
}

/** What came back. */
export interface OutboundAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** At most 10 MB, decompressed. */
  body: string
}

/** What came back, byte for byte. */
export interface OutboundBytes {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** At most 10 MB, decompressed. */
  bytes: Uint8Array
  /** Where it was in the end: redirects lead elsewhere. */
  address: string
}

/** Why nothing, or no usable answer, came back. Fixed texts: never words of the other side. */
export type OutboundFault =
  | 'address_invalid'
  | 'address_refused'
  | 'unreachable'
  | 'timeout'
  | 'too_many_redirects'
  | 'too_large'
  | 'broken_answer'
  | 'cancelled'

/** The guarded fetch gave no answer. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly fault: OutboundFault

  constructor(fault: OutboundFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/**
 * The guarded fetch: http and https only, no credentials in addresses, no private, loopback,
 * link-local or metadata address on any hop, judged when the connection is made.
 */
export interface Sender {
  /** @throws OutboundFailure */
  send(request: Outbound): Promise<OutboundAnswer>
  /** The same for what need not be text. @throws OutboundFailure */
  load(request: Outbound): Promise<OutboundBytes>
  /**
   * Why this address would be refused, as a sentence, without resolving names; undefined when it may
   * pass. For warnings at the time an address is written.
   */
  objection(url: string): string | undefined
  close(): Promise<void>
}

/** What comes back while it comes. */
export interface OutboundStream {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** At most 10 MB, decompressed. Reading it to its end, or leaving it, ends the request. @throws OutboundFailure */
  body: AsyncIterable<Uint8Array>
}

/** The guarded fetch for answers that are read while they come. */
export interface Streamer {
  /**
   * As `send`, with the body unread and up to an hour for all of it; without `timeoutMs` 20 seconds.
   * @throws OutboundFailure
   */
  stream(request: Outbound): Promise<OutboundStream>
}
