import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { voiceOf, type McpVoice } from './voice.ts'

/** A local process that speaks MCP on its standard streams, as hosts start one. */
export interface Command {
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd?: string
}

/** Starts the command and speaks with it, by the handshake or by what it negotiates. */
export async function overStdio(command: Command, mode: 'handshake' | 'auto'): Promise<McpVoice> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...command.args],
    cwd: command.cwd,
    env: { ...plain(process.env), ...command.env },
    stderr: 'ignore',
  })
  const info = { name: 'abode-tests', version: '1.0.0' }
  const options = mode === 'auto' ? { versionNegotiation: { mode } } : undefined
  const client = new Client(info, options)
  await client.connect(transport)
  return voiceOf(client)
}

/** Without settings of the service that happen to be set here. */
function plain(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || /^(ABODE_|MONGODB_|PUBLIC_URL|DATA_DIR)/.test(name)
        ? []
        : [[name, value]],
    ),
  )
}
