import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

let model: ModelServer
let server: ServerProcess | undefined

beforeEach(async () => {
  model = await startModelServer()
})
afterEach(async () => {
  await server?.dispose()
  model.close()
})

async function call<T>(path: string, body?: object, key?: string): Promise<T> {
  const response = await fetch(`${server?.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  // The test says what it expects of the answer.
  return (await response.json()) as T
}

interface Ended {
  status: string
  output: string
  usage: object
}

describe('a process whose operator has set a model', () => {
  it('does prompt runs with it, also where it lies on a private address', async () => {
    const secret = 'sk-marker-of-the-operator'
    server = await startServer({
      env: {
        OPENAI_API_KEY: secret,
        OPENAI_BASE_URL: model.baseUrl,
        ABODE_DEFAULT_MODEL: 'openai/gpt-4.1',
        ABODE_LOG_LEVEL: 'info',
      },
    })
    const { api_key } = await call<{ api_key: string }>('/api/agent-claim', {})
    await call('/api/characters/', { id: 'ada', name: 'Ada' }, api_key)
    const task = { task_id: 't', name: 'T', prompt: 'Say {{input}}' }
    await call('/api/characters/ada/tasks', task, api_key)
    model.plays(
      { text: ['Hm.'], calls: [{ name: 'teleport', arguments: {} }] },
      { text: ['Well, ', 'hello.'], usage: { input: 40, output: 6 } },
    )
    const path = '/api/characters/ada/tasks/t/run'
    const run = await call<Ended>(path, { input: 'hello', wait_seconds: 30 }, api_key)
    expect(run).toMatchObject({
      status: 'completed',
      output: 'Well, hello.',
      usage: { input_tokens: 50, output_tokens: 11 },
    })
    expect(model.asked[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(model.asked[0]?.body['model']).toBe('gpt-4.1')
    await server.end('SIGTERM')
    expect(server.lines.join('\n')).not.toContain(secret)
  })

  it('hands a conversation back when it is told to stop', async () => {
    const env = {
      OPENAI_BASE_URL: model.baseUrl,
      ABODE_DEFAULT_MODEL: 'openai-compatible/local',
      ABODE_GRACE_SECONDS: '0',
    }
    server = await startServer({ env })
    const { api_key } = await call<{ api_key: string }>('/api/agent-claim', {})
    await call('/api/characters/', { id: 'ada', name: 'Ada' }, api_key)
    await call('/api/characters/ada/tasks', { task_id: 't', name: 'T', prompt: 'Say' }, api_key)
    model.plays({ text: ['Well'], hangs: true }, { text: ['Done.'] })
    const { id } = await call<{ id: string }>('/api/characters/ada/tasks/t/run', {}, api_key)
    while (model.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    const { dataDir } = server
    expect(await server.end('SIGTERM')).toBe(0)
    await model.left
    const again = await startServer({ env, dataDir })
    const first = server
    server = again
    let run: Ended & { attempt: number }
    do run = await call(`/api/runs/${id}`, undefined, api_key)
    while (run.status !== 'completed')
    expect(run).toMatchObject({ output: 'Done.', attempt: 2 })
    await again.end('SIGTERM')
    await first.dispose()
  })
})
