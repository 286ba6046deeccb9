/** A request to an address that someone else chose; such requests leave the server only by this port. */
export interface Outbound {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Longest time for all of it, in milliseconds; at most and by default 20,000. */
  timeoutMs?: number
  /** Longest body of the answer, in bytes, decompressed; at most and by default 10 MB. */
  bytesAtMost?: number
  /** Redirects that are followed, each checked again; by default 3, for webhooks 0. */
  redirects?: number
  signal?: AbortSignal
}

/**
 * By what a receiver tells an effect that comes again, as its first sender ended before it was recorded.
 */
export interface EffectMark {
  /** The same at every attempt, and in every process. */
  key: string
  /** From 1. */
  attempt: number
}

/** The header that says which attempt it is. */
export const attemptHeader = 'abode-attempt'

/** A mark as it is sent over HTTP. */
export function effectHeaders({ key, attempt }: EffectMark): Record<string, string> {
  return { 'idempotency-key': key, [attemptHeader]: String(attempt) }
}

/** The answer. */
export interface OutboundAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Within the limit of the request, decompressed. */
  body: string
}

/** The answer, byte for byte. */
export interface OutboundBytes {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Within the limit of the request, decompressed. */
  bytes: Uint8Array
  /** The final address after redirects. */
  address: string
}

/** Why there was no answer, or no usable one. Fixed texts, never quoted from the other side. */
export type OutboundFault =
  | 'address_invalid'
  | 'address_refused'
  | 'unreachable'
  | 'timeout'
  | 'too_many_redirects'
  | 'too_large'
  | 'broken_answer'
  | 'cancelled'

/** The guarded fetch got no answer. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly fault: OutboundFault

  constructor(fault: OutboundFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/**
 * The guarded fetch: http and https only, no credentials in addresses, and on every hop no private,
 * loopback, link-local or metadata address, checked when the connection is made.
 */
export interface Sender {
  /** @throws OutboundFailure */
  send(request: Outbound): Promise<OutboundAnswer>
  /** The same for answers that need not be text. @throws OutboundFailure */
  load(request: Outbound): Promise<OutboundBytes>
  /**
   * Why this address would be refused, as a sentence, without resolving names; undefined if it may pass. For
   * warnings at the time an address is written.
   * @param encrypted whether http is refused too, but to origins that the operator allows
   */
  objection(url: string, encrypted?: boolean): string | undefined
  close(): Promise<void>
}

/** An answer that is read while it arrives. */
export interface OutboundStream {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** At most 10 MB, decompressed. Reading to the end, or stopping, ends the request. @throws OutboundFailure */
  body: AsyncIterable<Uint8Array>
}

/** The guarded fetch for answers that are read while they arrive. */
export interface Streamer {
  /**
   * As `send`, but with the body unread and up to an hour for all of it; without `timeoutMs` 20 seconds.
   * @throws OutboundFailure
   */
  stream(request: Outbound): Promise<OutboundStream>
}
