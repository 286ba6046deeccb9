import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as FirstUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOf, callTool, type McpClient } from '#tests/support/mcp-clients.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import type { Browser } from '../browser.ts'
import { personAt } from '../person.ts'
import { agreeAt } from './person.ts'
import { Host } from './provider.ts'

const info = { name: 'abode-tests', version: '1.0.0' }

/** A host with one of the official clients, which knows an address and nothing else. */
interface Program {
  /** Connects; false where a person has to agree first. */
  connect(): Promise<McpClient | false>
  /** Goes on with what the browser came back with. */
  finish(back: URL): Promise<void>
}

function current(address: string, authProvider: Host): Program {
  const open = () => new StreamableHTTPClientTransport(new URL(address), { authProvider })
  return {
    async connect() {
      const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
      return connected(client, () => client.connect(open()))
    },
    finish: (back) => open().finishAuth(back.searchParams),
  }
}

function first(address: string, authProvider: Host): Program {
  const open = () => new FirstTransport(new URL(address), { authProvider })
  return {
    async connect() {
      const client = new FirstClient(info)
      return connected(client, () => client.connect(open()))
    },
    finish: (back) => open().finishAuth(back.searchParams.get('code') ?? ''),
  }
}

async function connected(client: McpClient, connect: () => Promise<void>) {
  try {
    await connect()
    return client
  } catch (cause) {
    if (asksPerson(cause)) return false
    throw cause
  }
}

const asksPerson = (cause: unknown): boolean =>
  cause instanceof UnauthorizedError || cause instanceof FirstUnauthorizedError

/** Plays the person where one is asked, and gives the client that is connected then. */
async function signedIn(
  program: Program,
  host: Host,
  person: Browser,
  scopes?: readonly string[],
): Promise<McpClient> {
  expect(await program.connect()).toBe(false)
  const [address] = host.asked
  if (!address) throw new Error('no person was asked')
  await program.finish(await agreeAt(person, address.href, scopes))
  const client = await program.connect()
  if (client === false) throw new Error('it asks again')
  return client
}

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
})
afterAll(() => server.dispose())

const generations = [
  ['current', current],
  ['first', first],
] as const

describe.each(generations)('the %s MCP client, given an address alone', (name, programAt) => {
  const address = (): string => `${server.url}/mcp/account?toolsets=core`

  test('connects once a person has agreed, and calls', async () => {
    const host = new Host()
    const person = await personAt(server.url)
    const client = await signedIn(programAt(address(), host), host, person)
    const [asked] = host.asked
    expect(asked?.searchParams.get('resource')).toBe(`${server.url}/mcp/account`)
    expect(await answerOf(client, 'account_get')).toMatchObject({ key: null })
    await client.close()
  })

  test('refreshes a token that is no longer good, without the person', async () => {
    const host = new Host()
    const person = await personAt(server.url)
    const program = programAt(address(), host)
    const client = await signedIn(program, host, person)
    const before = host.kept
    if (!before) throw new Error('it has kept no tokens')
    host.kept = { ...before, access_token: before.access_token.replace(/.{4}$/, 'gone') }
    expect(await answerOf(client, 'account_get')).toHaveProperty('id')
    expect(host.kept?.refresh_token).not.toBe(before.refresh_token)
    expect(host.asked).toHaveLength(1)
    await client.close()
  })

  test('asks again for a scope that a call lacks', async () => {
    const host = new Host()
    const person = await personAt(server.url)
    const program = programAt(address(), host)
    const client = await signedIn(program, host, person, ['read'])
    const make = { character: { id: `ada-${name}`, name: 'Ada' } }
    const refused = await callTool(client, 'characters_create', make).catch(
      (cause: unknown) => cause,
    )
    if (programAt === first) {
      // It refreshes in place of asking: its host has to forget tokens that may not do enough.
      expect(refused).toMatchObject({ code: 403 })
      host.kept = undefined
      expect(await program.connect()).toBe(false)
    } else {
      expect(asksPerson(refused)).toBe(true)
    }
    const [, again] = host.asked
    const scopes = again?.searchParams.get('scope')?.split(' ')
    expect(scopes).toEqual(expect.arrayContaining(['read', 'write']))
    await program.finish(await agreeAt(person, again?.href ?? ''))
    const more = await program.connect()
    if (more === false) throw new Error('it asks again')
    expect(await answerOf(more, 'characters_create', make)).toMatchObject({ id: `ada-${name}` })
    await more.close()
    await client.close()
  })
})

describe('by address alone, as docs/connecting.md shows it', () => {
  const page = readFileSync('docs/connecting.md', 'utf8')
  const blocks = [...page.matchAll(/```(?:json|toml) account\n(.*?)```/gs)].map(
    ([, text = '']) => text,
  )

  test.each(blocks)('%s', async (text) => {
    const [shown = ''] = /http:\/\/127\.0\.0\.1:8080[^"]*/.exec(text) ?? []
    const host = new Host()
    const program = current(shown.replace('http://127.0.0.1:8080', server.url), host)
    const client = await signedIn(program, host, await personAt(server.url))
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(40)
    await client.close()
  })

  test('there are some', () => expect(blocks.length).toBeGreaterThan(5))
})
