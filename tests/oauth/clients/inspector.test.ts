import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inspector } from '#tests/e2e/conformance/clients/inspector.ts'
import { canFetch, fetched } from '#tests/e2e/conformance/fetched.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { personAt } from '../person.ts'
import { agreeAt, freePort } from './person.ts'

const patience = 300_000
const isThere = await canFetch(inspector, 'the Inspector, which signs a person in,')

describe.skipIf(!isThere)('the command line of the Inspector', () => {
  let server: ServerProcess
  let program = ''
  let folder = ''
  beforeAll(async () => {
    program = join(await fetched(inspector), 'clients', 'launcher', 'build', 'index.js')
    folder = await mkdtemp(join(tmpdir(), 'abode-inspector-'))
    server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
  }, patience)
  afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test.each(['legacy', 'modern'])(
    'signs a person in from the address alone, in the %s era',
    async (era) => {
      const door = ['--server-url', `${server.url}/mcp/account`, '--transport', 'http']
      const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
      const way = ['--protocol-era', era, '--format', 'json', '--callback-url', callback]
      const asked = ['--method', 'tools/call', '--tool-name', 'account_get']
      const player = spawn(process.execPath, [program, '--cli', ...door, ...way, ...asked], {
        // Without a terminal it asks a person only where it may open a browser, which it does not find here.
        env: { PATH: '', HOME: join(folder, era), MCP_AUTO_OPEN_ENABLED: 'true' },
      })
      player.stdin.end()
      const ended = once(player, 'exit')
      const answer = text(player.stdout)
      const told: string[] = []
      for await (const line of createInterface({ input: player.stderr })) {
        told.push(line)
        const [address] = /http\S+\/oauth\/authorize\?[^\s"]+/.exec(line) ?? []
        if (address === undefined) continue
        // It asks for all that the door names: the usual scopes.
        expect(new URL(address).searchParams.get('scope')).toMatch(/^read write run\b(?! approve)/)
        await (await fetch(await agreeAt(await personAt(server.url), address))).text()
      }
      await ended
      expect(await answer, told.join('\n')).toMatch(/key\\?": ?null/)
    },
    patience,
  )
})
