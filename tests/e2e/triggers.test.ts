import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const secret = 'between the shop and us'
let server: ServerProcess
let key = ''

beforeAll(async () => {
  server = await startServer()
  key = (await send<{ api_key: string }>('POST', '/api/agent-claim', {})).api_key
})
afterAll(() => server.dispose())

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (key) headers['authorization'] = `Bearer ${key}`
  const response = await fetch(server.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  // The test knows what it asks for.
  return (await response.json()) as T
}

/** A run of the task once it has ended. */
async function endedRun(taskId: string): Promise<Run> {
  for (const begun = Date.now(); Date.now() - begun < 30_000;) {
    const path = `/api/characters/ada/tasks/${taskId}/runs`
    const { items } = await send<{ items: Run[] }>('GET', path)
    if (items[0]?.finished_at) return items[0]
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no run of ${taskId} has ended`)
}

const saying = { task_id: 'says', name: 'Says', runtime: 'template', prompt: 'Said.' }

describe('a running server', () => {
  it('takes large bodies without a key only where they may be signed', async () => {
    const tasks = [
      { ...saying, triggers: [{ type: 'webhook', config: { path: 'guarded', secret } }] },
    ]
    const open = [{ ...saying, triggers: [{ type: 'webhook', config: { path: 'open' } }] }]
    await send('POST', '/api/characters/', { id: 'gus', name: 'Gus', heart: { tasks } })
    await send('POST', '/api/characters/', { id: 'opa', name: 'Opa', heart: { tasks: open } })
    const body = 'x'.repeat(100_000)
    const signed = createHmac('sha256', secret).update(body).digest('hex')
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'text/plain', ...headers },
        body,
      })
      await response.arrayBuffer()
      return response.status
    }
    const hook = (path: string, signature: string) =>
      statusOf(`/api/hooks/${path}`, { 'x-service-signature': signature })
    expect(await hook('gus/guarded', signed)).toBe(202)
    expect(await hook('gus/guarded', 'f'.repeat(64))).toBe(401)
    // A malformed signature, and one that the hook does not ask for, allows no larger body.
    expect(await hook('gus/guarded', 'anything')).toBe(413)
    expect(await hook('gus/other', signed)).toBe(413)
    expect(await hook('opa/open', signed)).toBe(413)
    expect(await hook('absent/open', signed)).toBe(413)
    const stripe = `t=1,v1=${'f'.repeat(64)}`
    expect(await statusOf('/api/payments/webhook', { 'stripe-signature': stripe })).toBe(413)
  })

  it('takes a signed call of a webhook, and passes on its result', async () => {
    const tasks = [
      {
        task_id: 'take',
        name: 'Take',
        runtime: 'template',
        prompt: 'Order {{order}} for {{city}}',
        triggers: [{ type: 'webhook', config: { path: 'orders/new', secret } }],
      },
      {
        task_id: 'tell',
        name: 'Tell',
        runtime: 'template',
        prompt: 'Taken: {{output}}',
        triggers: [
          { type: 'event', config: { event: 'run.completed', filter: { task_id: 'take' } } },
        ],
      },
    ]
    const brain = { hooks: [{ event: 'after_run', action: 'memory:orders/last' }] }
    await send('POST', '/api/characters/', { id: 'ada', name: 'Ada', brain, heart: { tasks } })
    const body = '{\n  "order": 17,\n  "city": "Zürich 🏔"\n}'
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const call = async (signed: string): Promise<string> => {
      const response = await fetch(`${server.url}/api/hooks/ada/orders/new`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-signature': signed },
        body: Buffer.from(body),
      })
      return `${response.status} ${await response.text()}`
    }
    expect(await call(signature.replace(/^./, 'x'))).toMatch(/^401 /)
    expect(await call(signature)).toMatch(/^202 \{"runs":\["run_\w+"\]\}$/)
    const taken = await endedRun('take')
    expect(taken).toMatchObject({ status: 'completed', output: 'Order 17 for Zürich 🏔' })
    expect(await endedRun('tell')).toMatchObject({
      status: 'completed',
      output: 'Taken: Order 17 for Zürich 🏔',
      parent_run_id: taken.id,
    })
    const entry = await send('GET', '/api/characters/ada/memory/orders/last')
    expect(entry).toMatchObject({ value: { status: 'completed' } })
  })
})
