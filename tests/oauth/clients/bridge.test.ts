import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mcpRemote } from '#tests/e2e/conformance/clients/mcp-remote.ts'
import { canFetch, fetched } from '#tests/e2e/conformance/fetched.ts'
import { answerOf } from '#tests/support/mcp-clients.ts'
import { startServer, surroundings, type ServerProcess } from '#tests/support/process.ts'
import { personAt } from '../person.ts'
import { agreeAt } from './person.ts'

const patience = 300_000

const isThere = await canFetch(mcpRemote, 'mcp-remote')

describe.skipIf(!isThere)('mcp-remote, for hosts that only start programs', () => {
  let server: ServerProcess
  let program = ''
  let folder = ''
  beforeAll(async () => {
    program = join(await fetched(mcpRemote), 'dist', 'proxy.js')
    folder = await mkdtemp(join(tmpdir(), 'abode-bridge-'))
    server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
  }, patience)
  afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  function bridge(): StdioClientTransport {
    return new StdioClientTransport({
      command: process.execPath,
      args: [program, `${server.url}/mcp/account?toolsets=core`, '--transport', 'http-only'],
      // It would open a browser of this machine, if it found one.
      env: { ...surroundings(), PATH: '', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
      stderr: 'pipe',
    })
  }

  /** Sends a person to the address that it prints. */
  async function asked(stderr: Readable): Promise<void> {
    for await (const line of createInterface({ input: stderr })) {
      const [address] = /http\S+\/oauth\/authorize\?\S+/.exec(line) ?? []
      if (address === undefined) continue
      await (await fetch(await agreeAt(await personAt(server.url), address))).text()
      return
    }
  }

  test(
    'signs a person in from the address alone, and keeps what it got',
    async () => {
      const first = bridge()
      const client = new Client({ name: 'abode-tests', version: '1' })
      const person = asked(first.stderr as Readable)
      await client.connect(first, { timeout: 60_000 })
      await person
      const account = await answerOf<{ id: string }>(client, 'account_get')
      expect(account).toMatchObject({ key: null })
      await client.close()
      const again = new Client({ name: 'abode-tests', version: '1' })
      await again.connect(bridge(), { timeout: 60_000 })
      expect(await answerOf(again, 'account_get')).toMatchObject({ id: account.id })
      await again.close()
    },
    patience,
  )
})
