import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { newKey } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { ABODE_LOG_REQUESTS: 'on' } })
})
afterAll(() => server.dispose())

const written = (id: string): Record<string, unknown> | undefined =>
  server.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find(({ message, request_id }) => message === 'request' && request_id === id)

test('a request is one line with what it was, how it ended and who sent it, and no secret', async () => {
  const key = await newKey(server.url)
  const sent = async (id: string, path: string, body: object): Promise<void> => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-request-id': id,
    }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    await (await fetch(server.url + path, init)).text()
    await until(() => written(id) !== undefined)
  }
  await sent('made', '/api/characters/', { id: 'ada', name: 'Ada' })
  const by = { account_id: expect.stringMatching(/^acc_/), key_id: expect.stringMatching(/^key_/) }
  expect(written('made')).toMatchObject({
    level: 'info',
    operation: 'characters.create',
    status: 201,
    code: null,
    duration_ms: expect.any(Number),
    door: 'rest',
    ...by,
  })
  await sent('refused', '/api/characters/', { id: 'ada', name: 'Ada' })
  const refused = { operation: 'characters.create', status: 409, code: 'character_id_taken', ...by }
  expect(written('refused')).toMatchObject(refused)
  const params = { char_id: 'no' }
  const call = { jsonrpc: '2.0', id: 1, method: 'characters.get', params }
  await sent('elsewhere', '/a2a/', call)
  const missing = { door: 'a2a', status: 404, code: 'character_not_found', ...by }
  expect(written('elsewhere')).toMatchObject(missing)
  const task = { task_id: 't', name: 'T', runtime: 'mine' }
  await sent('task', '/api/characters/ada/tasks', task)
  await sent('waits', '/api/characters/ada/tasks/t/run', {})
  expect(written('waits')).toMatchObject({ operation: 'tasks.run', status: 202, code: null })
  await sent('nowhere', '/api/nothing-here', {})
  const nowhere = { operation: null, status: 404, code: 'path_not_found', door: 'rest' }
  expect(written('nowhere')).toMatchObject(nowhere)
  expect(server.lines.join('\n')).not.toContain(key)
})
