import type { ToolOffer } from './model.ts'

/** Where a tool server is, and what it is sent with every request. */
export interface ToolServerAddress {
  url: string
  headers: Record<string, string>
}

/** What a tool of a server answered. */
export interface ToolServerAnswer {
  text: string
  isError: boolean
}

/** A tool server that answers. */
export interface ToolServer {
  /** Its tools under their own names, which may be anything. */
  readonly tools: readonly ToolOffer[]
  /** @throws ToolServerFailure */
  call(name: string, input: unknown, signal: AbortSignal): Promise<ToolServerAnswer>
  close(): Promise<void>
}

/** A tool server cannot be used; the message says why in words of ours. */
export class ToolServerFailure extends Error {
  override readonly name = 'ToolServerFailure'
}

/** Tool servers that speak MCP over HTTP, through the guarded fetch. */
export interface ToolServers {
  /** @throws ToolServerFailure */
  connect(address: ToolServerAddress, signal: AbortSignal): Promise<ToolServer>
}
