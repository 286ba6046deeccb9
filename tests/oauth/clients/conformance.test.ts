import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canFetch, fetched } from '#tests/e2e/conformance/fetched.ts'
import { lines, suiteName } from '#tests/e2e/conformance/suite.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { registered } from '../program.ts'
import { personAt } from '../person.ts'
import { agreeAt, freePort } from './person.ts'

const patience = 600_000

const suitePackage = { name: suiteName, release: lines.at(-1)?.release ?? '' }
const isThere = await canFetch(suitePackage, 'the official suite for authorization servers')

/** The official suite has scenarios for authorization servers from the line of 2026 on; they are for every revision. */
describe.skipIf(!isThere)('the scenarios of the official suite for authorization servers', () => {
  let server: ServerProcess
  let suite = ''
  beforeAll(async () => {
    suite = join(await fetched(suitePackage), 'dist', 'index.js')
    server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
  }, patience)
  afterAll(() => server.dispose())

  test(
    'pass, with a person who agrees',
    async () => {
      const port = await freePort()
      const redirect_uris = [`http://127.0.0.1:${port}/callback`]
      const { client } = await registered(server.url, { redirect_uris })
      const person = await personAt(server.url)
      const resource = `${server.url}/mcp/account`
      const flags = ['--url', server.url, '--client-id', client.client_id, '--resource', resource]
      const all = [suite, 'authorization', ...flags, '--port', String(port)]
      const player = spawn(process.execPath, all, {
        cwd: tmpdir(),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = once(player, 'exit')
      const told: string[] = []
      player.stderr.on('data', (text) => told.push(String(text)))
      for await (const line of createInterface({ input: player.stdout })) {
        told.push(line)
        // It says where the person has to go, and waits for the browser.
        if (!line.startsWith(`${server.url}/oauth/authorize?`)) continue
        await (await fetch(await agreeAt(person, line))).text()
      }
      const said = told.join('\n')
      const [code] = (await ended) as [number | null]
      expect(code, said).toBe(0)
      expect(said).toMatch(/✓ authorization-server-metadata-endpoint: \d+ passed, 0 failed/)
      expect(said).toMatch(/✓ authorization-code-grant: 1 passed, 0 failed/)
    },
    patience,
  )
})
