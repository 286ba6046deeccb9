import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

interface Told {
  id: string
  event: string
}

describe('the events of a run as a stream', () => {
  let server: ServerProcess
  let key: string
  beforeAll(async () => {
    server = await startServer()
    const claim = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
    key = ((await claim.json()) as { api_key: string }).api_key
    const task = { task_id: 't', name: 'T', prompt: '{{input}}' }
    await post('/api/characters/', { id: 'ada', name: 'Ada', heart: { tasks: [task] } })
  })
  afterAll(() => server.dispose())

  const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
  const post = async (path: string, body: unknown) => {
    const init = { method: 'POST', headers: headers(), body: JSON.stringify(body) }
    return (await (await fetch(server.url + path, init)).json()) as Record<string, string>
  }
  const follow = (runId: string, more: Record<string, string> = {}) =>
    fetch(`${server.url}/api/runs/${runId}/events`, {
      headers: { ...headers(), accept: 'text/event-stream', ...more },
    })
  const told = (text: string): Told[] =>
    [...text.matchAll(/^id: (.*)\nevent: (.*)\n/gm)].map(([, id = '', event = '']) => ({
      id,
      event,
    }))

  it('tells what happens while it happens, and ends with the run', async () => {
    const run = await post('/api/characters/ada/tasks/t/run', { input: 'x' })
    const response = await follow(run.id ?? '')
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const whole = response.text()
    const lease = await post('/api/runs/lease', {})
    await post(`/api/runs/${run.id}/complete`, { lease_token: lease.lease_token, output: 'done' })
    const events = told(await whole)
    expect(events.map(({ event }) => event)).toEqual([
      'run.queued',
      'run.started',
      'lease.given',
      'run.completed',
    ])

    const again = await follow(run.id ?? '', { 'last-event-id': events[1]?.id ?? '' })
    expect(told(await again.text()).map(({ event }) => event)).toEqual([
      'lease.given',
      'run.completed',
    ])
  })

  it('refuses to resume after what was no event', async () => {
    const run = await post('/api/characters/ada/tasks/t/run', { input: 'x' })
    const response = await follow(run.id ?? '', { 'last-event-id': 'x' })
    expect(response.status).toBe(400)
  })

  it('ends when the server stops', async () => {
    const run = await post('/api/characters/ada/tasks/t/run', { input: 'x' })
    const whole = (await follow(run.id ?? '')).text()
    expect(await server.end('SIGTERM')).toBe(0)
    expect(told(await whole).map(({ event }) => event)).toEqual(['run.queued'])
  })
})
