import type { Refusal } from '#src/core/errors.ts'

/** A request as a door of agents sees it, free of any HTTP framework. */
export interface DoorRequest {
  method: string
  /** The agent that the address names, at the door of one. */
  agent?: string
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  /** Parsed JSON, or undefined without a body. */
  body: unknown
  /** A body was sent that is not JSON. */
  parseError?: boolean
  /** What the transport could not take, for the door to say in the words of its protocol. */
  fault?: TransportFault
  /** Length of the body in bytes. */
  rawLength?: number
  /** The caller's address, cut to its network: /24 or /64. */
  address: string
  requestId: string
  traceparent?: string | undefined
  /** Aborted when the connection closes before its answer has ended. */
  signal: AbortSignal
}

/** A request that no protocol has seen yet, and what is wrong with it. */
export interface TransportFault {
  /** Of HTTP. */
  status: number
  message: string
  /** What HTTP says beside its status. */
  headers?: Readonly<Record<string, string>>
  /** Whole, for a protocol that has room for our codes and hints. */
  refusal?: Refusal
}

/** What goes back: a text, a stream of server-sent events, or nothing (202, 405). */
export interface DoorAnswer {
  status: number
  headers: Record<string, string>
  body: string | ReadableStream<Uint8Array> | undefined
  /** It holds a secret beside text that others may choose, so it must not be compressed. */
  secret?: boolean
}

/** One address where agents speak a JSON-RPC protocol. */
export interface Door {
  /** Never rejects: a fault inside is an answer too. */
  handle(request: DoorRequest): Promise<DoorAnswer>
  /** Ends the streams that are still open. */
  close(): Promise<void>
}
