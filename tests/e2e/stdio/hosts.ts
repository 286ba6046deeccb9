import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { McpClient } from '#tests/support/mcp-clients.ts'
import { program, surroundings } from '#tests/support/process.ts'

/** A folder of its own, and how it is removed. */
export async function newFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-stdio-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The settings that a host hands on: none of the service's own that happen to be set here. */
export function hostEnv(home: string, more: Record<string, string> = {}): Record<string, string> {
  return { ...surroundings(), HOME: home, ...more }
}

/** A client that has started the command, and what the command wrote outside the protocol. */
export interface Started {
  client: McpClient
  said: () => string
}

type Start = (words: string[], env: Record<string, string>) => Promise<Started>

const info = { name: 'abode-tests', version: '1.0.0' }

function current(mode?: 'auto' | { pin: string }): Start {
  return async (args, env) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...args],
      env,
      stderr: 'pipe',
    })
    const said = heard(transport)
    const client = new Client(info, mode && { versionNegotiation: { mode } })
    await client.connect(transport)
    return { client, said }
  }
}

const first: Start = async (args, env) => {
  const transport = new FirstTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env,
    stderr: 'pipe',
  })
  const said = heard(transport)
  const client = new FirstClient(info)
  await client.connect(transport)
  return { client, said }
}

function heard(transport: StdioClientTransport | FirstTransport): () => string {
  let text = ''
  transport.stderr?.on('data', (bytes: Buffer) => (text += bytes.toString()))
  return () => text
}

/** The official clients of both generations, in the ways in which they choose a revision. */
export const hosts: readonly [name: string, start: Start][] = [
  ['the current client as it comes', current()],
  ['the current client that negotiates', current('auto')],
  ['the current client pinned to 2026-07-28', current({ pin: '2026-07-28' })],
  ['the first client', first],
]

interface Calling {
  signal: AbortSignal
  onprogress: (note: object) => void
}

/** Calls a tool, listening to how it goes; the two generations take that in different places. */
export function callWith(
  client: McpClient,
  name: string,
  args: Record<string, unknown>,
  options: Calling,
): Promise<unknown> {
  const params = { name, arguments: args }
  return client instanceof FirstClient
    ? client.callTool(params, undefined, options)
    : client.callTool(params, options)
}

export interface Spoken {
  id?: unknown
  method?: string
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

/** The command, spoken to line by line. */
export class Speaker {
  readonly child: ChildProcessWithoutNullStreams
  /** Every line of standard output. */
  readonly lines: string[] = []
  stderr = ''
  readonly #exit: Promise<number | null>

  constructor(words: string[], env: Record<string, string>) {
    this.child = spawn(process.execPath, [program, 'mcp', ...words], { env })
    createInterface({ input: this.child.stdout }).on('line', (line) => this.lines.push(line))
    this.child.stderr.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()))
    // A command that has ended takes no more, which its exit tells.
    this.child.stdin.on('error', () => undefined)
    this.#exit = once(this.child, 'close').then(([code]) => code as number | null)
  }

  say(message: unknown): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  get messages(): Spoken[] {
    return this.lines.map((line) => JSON.parse(line) as Spoken)
  }

  answer(id: unknown): Spoken | undefined {
    return this.messages.find((message) => message.id === id)
  }

  /** The exit code, or null when a signal ended it. */
  exit(): Promise<number | null> {
    return this.#exit
  }
}
