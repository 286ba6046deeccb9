import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { connections } from '#src/accounts/connections.ts'
import { answerOf } from '#tests/support/mcp-clients.ts'
import { ownPackage } from '#tests/house/registry/entry.ts'
import { program, startServer, type ServerProcess } from '#tests/support/process.ts'
import { hostEnv, newFolder } from './hosts.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const page = readFileSync(join(root, 'docs/connecting.md'), 'utf8')
const base = 'http://127.0.0.1:8080'

let server: ServerProcess
let key: string
beforeAll(async () => {
  server = await startServer()
  const claim = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
  // The documented answer of the operation.
  key = ((await claim.json()) as { api_key: string }).api_key
})
afterAll(() => server.dispose())

interface Entry {
  url?: string
  httpUrl?: string
  serverUrl?: string
  headers?: Record<string, string>
  bearer_token_env_var?: string
  command?: string | string[]
  args?: string[]
}

/** The blocks of one kind: how each is written, and the section that it stands in. */
function blocks(kind: 'http' | 'stdio'): { title: string; language: string; text: string }[] {
  return [...page.matchAll(/```(json|toml|yaml) (\w+)\n(.*?)```/gs)].flatMap(
    ([whole, language = '', as, text = ''], i) => {
      if (as !== kind) return []
      const before = page.slice(0, page.indexOf(whole))
      const title = [...before.matchAll(/^### (.+)$/gm)].at(-1)?.[1] ?? ''
      return [{ title: `${title}: block ${i + 1}`, language, text }]
    },
  )
}

/** The one server of a configuration. */
function entryIn(language: string, text: string): Entry {
  if (language === 'json') {
    const tables = JSON.parse(text) as Record<string, { abode: Entry } | undefined>
    const { mcpServers, servers, context_servers, mcp } = tables
    return (mcpServers ?? servers ?? context_servers ?? mcp)?.abode ?? {}
  }
  if (language === 'yaml') return entryInYaml(text)
  // Of TOML the page uses one table, whose values are written as in JSON.
  const [head, ...lines] = text.trim().split('\n')
  expect(head).toBe('[mcp_servers.abode]')
  const pairs = lines.map((line) => line.split(/ = (.*)/s))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, JSON.parse(value)]))
}

/** Of YAML the page uses lists of one server, whose members are texts or written as in JSON. */
function entryInYaml(text: string): Entry {
  const members = new Map(
    text.split('\n').map((line) => {
      const [name = '', value = ''] = line.trim().split(/: (.*)/s)
      return [name, value] as const
    }),
  )
  const authorization = members.get('Authorization')
  return {
    url: members.get('url'),
    ...(authorization !== undefined && { headers: { Authorization: authorization } }),
    command: members.get('command'),
    args: JSON.parse(members.get('args') ?? '[]') as string[],
  }
}

/** A command as it is started here: the package by its program, and any Node by the one of the tests. */
function startable({ command = '', args = [] }: Entry): { command: string; args: string[] } {
  const [first = '', ...words] = [command, args].flat()
  if (first === '/usr/bin/node') return { command: process.execPath, args: words }
  if (first !== 'npx') return { command: first, args: words }
  const [yes, name, ...rest] = words
  expect([yes, name]).toEqual(['-y', ownPackage.name])
  return { command: process.execPath, args: [program, ...rest] }
}

async function accountOf(client: Client): Promise<unknown> {
  const { tools } = await client.listTools()
  expect(tools.length).toBeLessThanOrEqual(40)
  const { id } = await answerOf<{ id: string }>(client, 'account_get')
  await client.close()
  return id
}

const info = { name: 'abode-tests', version: '1.0.0' }

describe('by address, with a key', () => {
  test.each(blocks('http'))('$title', async ({ language, text }) => {
    const filled = text.replaceAll(base, server.url).replaceAll('ab_…', key)
    const entry = entryIn(language, filled)
    const url = entry.url ?? entry.httpUrl ?? entry.serverUrl ?? ''
    const token = entry.bearer_token_env_var === 'ABODE_KEY' ? `Bearer ${key}` : undefined
    const headers = entry.headers ?? { ...(token && { Authorization: token }) }
    const client = new Client(info)
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    )
    expect(await accountOf(client)).toMatch(/^acc_/)
  })

  test('begins with what a claim answers', () => {
    const [first] = blocks('http')
    expect(JSON.parse(first?.text ?? '')).toEqual(connections(base, 'ab_…').mcp)
  })

  test('has a block for each of the hosts', () => {
    const titles = blocks('http').map(({ title }) => title.split(':')[0])
    expect(titles).toEqual([
      'Claude Code',
      'Cursor, LM Studio, JetBrains',
      'VS Code',
      'Windsurf',
      'Zed',
      'Cline',
      'Codex',
      'Gemini CLI',
      'opencode',
      'Continue',
    ])
  })
})

describe('by a command', () => {
  test.each(blocks('stdio'))('$title', async ({ language, text }) => {
    const { folder, remove } = await newFolder()
    const filled = text
      .replaceAll(base, server.url)
      .replaceAll('/path/to/abode', root)
      .replaceAll('/path/to/data', join(folder, 'data'))
    const { command, args } = startable(entryIn(language, filled))
    const env = hostEnv(folder)
    // The Node that runs the tests comes first, before any other on the path.
    env['PATH'] = `${dirname(process.execPath)}:${env['PATH'] ?? ''}`
    const client = new Client(info)
    await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }))
    expect(await accountOf(client)).toMatch(/^acc_/)
    await remove()
  })
})
