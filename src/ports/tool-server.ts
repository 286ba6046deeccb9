import type { Authorize } from './authorize.ts'
import type { ToolOffer } from './model.ts'
import type { EffectMark } from './sender.ts'

/** The address of a tool server, and the headers of every request. */
export interface ToolServerAddress {
  url: string
  headers: Record<string, string>
  /** What lets its requests in, if their headers do not. */
  authorize?: Authorize | undefined
}

/** The answer of a tool. */
export interface ToolServerAnswer {
  text: string
  isError: boolean
}

/** A tool as its server offers it. */
export interface ServerTool extends ToolOffer {
  /** Its server says that it only reads, or destroys nothing. */
  isHarmless: boolean
}

/** How a tool is called. */
export interface ToolCallTerms {
  signal: AbortSignal
  /** Its server is told in the `_meta` of the call. */
  mark: EffectMark
}

/** A connected tool server. */
export interface ToolServer {
  /** Its tools under their own names, which may be any text. */
  readonly tools: readonly ServerTool[]
  /** @throws ToolServerFailure, ConsentNeeded */
  call(name: string, input: unknown, terms: ToolCallTerms): Promise<ToolServerAnswer>
  close(): Promise<void>
}

/** A tool server cannot be used; the message is written by this server. */
export class ToolServerFailure extends Error {
  override readonly name = 'ToolServerFailure'
}

/** Tool servers that speak MCP over HTTP, reached through the guarded fetch. */
export interface ToolServers {
  /** @throws ToolServerFailure, ConsentNeeded */
  connect(address: ToolServerAddress, signal: AbortSignal): Promise<ToolServer>
}
