import { expect, test } from 'vitest'
import { catalog } from '#src/catalog.ts'
import type { Run } from '#src/runs/run.ts'
import { serving } from './serve.ts'

test('HEAD of the inbox reads no notice for its owner', async () => {
  await using server = await serving({ ABODE_QUOTAS: 'off' }, catalog)
  const post = async <T>(path: string, body: object, key?: string): Promise<T> => {
    const authorization: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const headers = { 'content-type': 'application/json', ...authorization }
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    // The test knows what it asks for.
    return JSON.parse((await server.ask(path, sent)).text) as T
  }
  const { api_key } = await post<{ api_key: string }>('/api/agent-claim', {})
  const task = { task_id: 't', name: 'T', runtime: 'template' }
  const heart = { tasks: [{ ...task, approval_gate: { requires_approval: true } }] }
  await post('/api/characters', { id: 'ada', name: 'Ada', heart }, api_key)
  const run = await post<Run>('/api/characters/ada/tasks/t/run', { wait_seconds: 60 }, api_key)
  expect(run.status).toBe('waiting_approval')
  const inbox = (method: string) =>
    server.ask('/api/account/inbox', { method, headers: { authorization: `Bearer ${api_key}` } })
  const head = await inbox('HEAD')
  expect([head.status, head.text]).toEqual([200, ''])
  const first = await inbox('GET')
  expect(first.headers.get('etag')).toBe(head.headers.get('etag'))
  expect(first.text).toContain('"read":false')
  expect((await inbox('GET')).text).toContain('"read":true')
})
