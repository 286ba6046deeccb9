import * as z from 'zod'

export const Connections = z.object({
  mcp: z.looseObject({}).describe('Configuration for an MCP client.'),
  a2a: z.looseObject({}),
  rest: z.looseObject({}),
})

/** Ready-made configuration of the three doors for a key. */
export function connections(publicUrl: string, key: string): z.infer<typeof Connections> {
  const headers = { Authorization: `Bearer ${key}` }
  return {
    mcp: {
      mcpServers: { abode: { type: 'http', url: `${publicUrl}/mcp?toolsets=core`, headers } },
    },
    a2a: {
      card: `${publicUrl}/a2a/.well-known/agent-card.json`,
      url: `${publicUrl}/a2a/`,
      headers,
    },
    rest: { base_url: publicUrl, openapi: `${publicUrl}/openapi.agent.json`, headers },
  }
}
