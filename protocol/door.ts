import type { Refusal } from '#src/core/errors.ts'

/** A request as the doors of agents see it, independent of any HTTP framework. */
export interface DoorRequest {
  method: string
  /** The agent that the address names, at an agent's own door. */
  agent?: string
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  /** Parsed JSON, or undefined without a body. */
  body: unknown
  /** The body is not JSON. */
  parseError?: boolean
  /** Why not, where more is known. */
  parseRefusal?: Refusal
  /** What the transport refused; the door reports it in terms of its protocol. */
  fault?: TransportFault
  /** Length of the body in bytes. */
  rawLength?: number
  /** The caller's address, reduced to its network: /24 or /64. */
  address: string
  requestId: string
  traceparent?: string | undefined
  /** Aborted when the connection closes before the answer is complete. */
  signal: AbortSignal
}

/** A request that failed before it reached a protocol, and what is wrong with it. */
export interface TransportFault {
  /** The HTTP status. */
  status: number
  message: string
  /** HTTP headers in addition to the status. */
  headers?: Readonly<Record<string, string>>
  /** The full refusal, for a protocol with members for our codes and hints. */
  refusal?: Refusal
}

/** The answer: a text, a stream of server-sent events, or nothing (202, 405). */
export interface DoorAnswer {
  status: number
  headers: Record<string, string>
  body: string | ReadableStream<Uint8Array> | undefined
  /** The same text in parts, if most of it stands in many answers. */
  parts?: TextParts
  /** It holds a secret together with text that others may choose, so it must not be compressed. */
  secret?: boolean
}

/** A text that many answers share: always the same object for the same text. */
export interface SharedText {
  readonly text: string
}

/** A shared text, with what one answer has around it. */
export interface TextParts {
  before: string
  shared: SharedText
  after: string
}

/** One endpoint where agents speak a JSON-RPC protocol. */
export interface Door {
  /** Never rejects: an internal error is an answer too. */
  handle(request: DoorRequest): Promise<DoorAnswer>
  /** Ends the open streams. */
  close(): Promise<void>
}
