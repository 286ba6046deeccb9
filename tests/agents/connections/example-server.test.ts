import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { surroundings } from '#tests/support/process.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { connecting, type Connecting } from './connected.ts'

/** The example of the MCP SDK: a tool server, and an authorization server of its own that asks no one. */
const program = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/sdk/examples/server/simpleStreamableHttp.js'),
)

let store: Store
let made: Connecting
let child: ChildProcess
let origin: string

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host has an address with a port.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

beforeEach(async () => {
  const [tools, authorization] = [await freePort(), await freePort()]
  origin = `http://localhost:${tools}`
  child = spawn(process.execPath, [program, '--oauth', '--oauth-strict'], {
    env: { ...surroundings(), MCP_PORT: String(tools), MCP_AUTH_PORT: String(authorization) },
    stdio: 'ignore',
  })
  const answers = (url: string) =>
    fetch(url).then(
      () => true,
      () => false,
    )
  await until(() => answers(origin))
  await until(() => answers(`http://localhost:${authorization}`))
  store = await (oneStore()[0] ?? expect.fail()).open()
  made = await connecting(store, { also: [origin, `http://localhost:${authorization}`] })
  const brain = { mcps: [{ name: 'example', url: `${origin}/mcp` }] }
  const heart = { tasks: [{ task_id: 't', name: 'T', prompt: 'Do it.' }] }
  const character = { id: 'cleo', name: 'Cleo', brain, heart }
  await made.world.ask('characters.create', { character }, { token: made.person.token })
})
afterEach(async () => {
  await made.close()
  await store.close()
  child.kill()
})

it('connects by the metadata and the registration of the example', async () => {
  made.model.plays({ text: ['Done.'] })
  expect(await made.ran('t', 'cleo')).toMatchObject({ degraded: ['example'] })
  const connection = await made.connection()
  expect(connection).toMatchObject({ resource: `${origin}/mcp`, scopes: ['mcp:tools'] })
  expect((await made.consents()).outcome).toBe('connected')
  made.model.plays(
    { calls: [{ name: 'example_greet', arguments: { name: 'Ada' } }] },
    { text: ['Done.'] },
  )
  const run = await made.ran('t', 'cleo')
  expect(run).not.toHaveProperty('degraded')
  const answered = (await made.events(run)).find(({ type }) => type === 'tool.answered')
  expect(answered?.data.result).toContain('Hello, Ada!')
})
