import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#tests/support/rest/free-port.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'

let server: ServerProcess

beforeAll(async () => {
  const port = String(await freePort())
  const env = { PORT: port, ABODE_OUTBOUND_ALLOW: `http://127.0.0.1:${port}` }
  server = await startServer({ env })
})
afterAll(() => server.dispose())

it('a task that calls the hook that starts it ends, and says why', async () => {
  const { url } = server
  const { api_key } = await call<{ api_key: string }>(
    url,
    'POST',
    '/api/agent-claim',
    undefined,
    {},
  )
  const triggers = [{ type: 'webhook', config: { path: 'in' } }]
  const api_url = `${url}/api/hooks/looper/in`
  const task = { task_id: 't', name: 'T', runtime: 'api', api_url, triggers }
  const agent = { id: 'looper', name: 'Looper', heart: { tasks: [task] } }
  await call(url, 'POST', '/api/characters/', api_key, agent)
  await call(url, 'POST', '/api/characters/looper/tasks/t/run', api_key, { wait_seconds: 20 })
  const path = '/api/runs?char_id=looper&limit=100'
  type Listed = { items: { status: string; reason: string | null; depth: number }[] }
  const ended = async (): Promise<Listed['items']> =>
    (await call<Listed>(url, 'GET', path, api_key)).items.toSorted((a, b) => a.depth - b.depth)
  await until(async () => (await ended()).some(({ reason }) => reason === 'loop'))
  const runs = await ended()
  expect(runs.map(({ depth, reason }) => [depth, reason])).toEqual([
    [0, null],
    [1, null],
    [2, 'loop'],
  ])
})
