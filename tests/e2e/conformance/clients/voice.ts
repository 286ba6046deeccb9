import type { McpClient, ToolResult } from '#tests/support/mcp-clients.ts'

/** What every MCP client can do. */
export interface McpVoice {
  /** The revision that it and the server have agreed on, where the client tells. */
  revision: string | undefined
  tools(): Promise<string[]>
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>
  resources(): Promise<string[]>
  read(uri: string): Promise<string>
  prompts(): Promise<string[]>
  prompt(name: string, args: Record<string, string>): Promise<string>
  complete(prompt: string, argument: string, value: string): Promise<string[]>
  close(): Promise<void>
}

/** Connects with a credential, or without one. */
export type Speak = (credential?: string) => Promise<McpVoice>

/** An official client of either generation. */
export function voiceOf(client: McpClient): McpVoice {
  return {
    revision: revisionOf(client),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    // The two generations name the same result by different types.
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })) as ToolResult,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => JSON.stringify((await client.readResource({ uri })).contents),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) =>
      JSON.stringify((await client.getPrompt({ name, arguments: args })).messages),
    async complete(name, argument, value) {
      const ref = { type: 'ref/prompt' as const, name }
      const { completion } = await client.complete({ ref, argument: { name: argument, value } })
      return completion.values
    },
    close: () => client.close(),
  }
}

function revisionOf(client: McpClient): string | undefined {
  if ('getNegotiatedProtocolVersion' in client) return client.getNegotiatedProtocolVersion()
  // Of the transport over HTTP, which sends it with every request.
  return (client.transport as { protocolVersion?: string } | undefined)?.protocolVersion
}
