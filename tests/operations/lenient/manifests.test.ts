import { describe, expect, test } from 'vitest'
import { manifest, type Calls } from '#tests/support/served/calls.ts'
import { served } from '#tests/support/served/served.ts'

const here = served()

const post: Calls['post'] = (...sent) => here.calls.post(...sent)
const rest: Calls['rest'] = (...sent) => here.calls.rest(...sent)
const mcp: Calls['mcp'] = (...sent) => here.calls.mcp(...sent)
const a2a: Calls['a2a'] = (...sent) => here.calls.a2a(...sent)

/** Numbers, switches and lists as texts, at every depth. */
const loose = (app_id: string) => ({
  manifest_version: '1',
  app_id,
  name: 'Desk',
  agents: [
    {
      local_id: 'lead',
      name: 'Lead',
      brain: { temperature: '0.5', hooks: [] },
      heart: {
        tasks: [
          {
            task_id: 't',
            name: 'T',
            prompt: 'x',
            enabled: 'false',
            order: '20',
            triggers: [{ type: 'webhook', config: '{"path": "p"}', enabled: 'true' }],
          },
        ],
      },
    },
  ],
})
const looseAs = {
  '/manifest_version': 'number',
  '/agents/0/brain/temperature': 'number',
  '/agents/0/heart/tasks/0/order': 'number',
  '/agents/0/heart/tasks/0/triggers/0/config': 'object',
  '/agents/0/heart/tasks/0/triggers/0/enabled': 'boolean',
  '/agents/0/heart/tasks/0/enabled': 'boolean',
}
const order = '/agents/0/heart/tasks/0/order'
const enabled = '/agents/0/heart/tasks/0/enabled'
const looseWarnings = Object.keys(looseAs).map((pointer) => ({ code: 'understood', pointer }))

describe('a manifest with texts for numbers and switches', () => {
  const header = Object.entries(looseAs).map(([pointer, as]) => `"${pointer}";as=${as}`)
  const understood = header.join(', ')
  const read = { enabled: false, order: 20, triggers: [{ config: { path: 'p' }, enabled: true }] }

  test('is validated, planned, applied and read again, and each answer says how', async () => {
    const valid = await rest('POST', '/api/agent-apps/validate', loose('m-app'))
    expect(valid).toMatchObject({ understood, body: { valid: true, warnings: looseWarnings } })
    const tried = await rest('POST', '/api/agent-apps/', {
      manifest: loose('m-app'),
      dry_run: true,
    })
    expect(tried.body['warnings']).toEqual(expect.arrayContaining(looseWarnings.map(matching)))
    const made = await rest('POST', '/api/agent-apps/', loose('m-app'))
    expect(made).toMatchObject({ status: 201, understood })
    expect(made.body['warnings']).toEqual(expect.arrayContaining(looseWarnings.map(matching)))
    const task = await rest('GET', '/api/characters/m-app--lead/tasks/t', undefined)
    expect(task.body).toMatchObject(read)
    const kept = await rest('GET', '/api/agent-apps/m-app/manifest', undefined)
    expect(kept.body).toMatchObject({
      manifest_version: 1,
      agents: [{ heart: { tasks: [read] } }],
    })
    const same = await rest('POST', '/api/agent-apps/m-app/plan', loose('m-app'))
    const unchanged = { create: [], update: [], remove: [] }
    expect(same).toMatchObject({ understood, body: { ...unchanged, warnings: looseWarnings } })
    const again = await rest('PUT', '/api/agent-apps/m-app', { ...loose('m-app'), version: '2' })
    expect(again).toMatchObject({ status: 200, understood })
    expect(again.body['plan']).toMatchObject({ update: [{ kind: 'app', members: ['version'] }] })
  })

  test('is told the same when it is repeated under one idempotency key', async () => {
    const again = { 'idempotency-key': crypto.randomUUID() }
    const call = () => post('/api/agent-apps/', loose('m-twice'), again)
    const [first, second] = [await call(), await call()]
    expect(second.body).toEqual(first.body)
    expect(second.response.headers.get('understood')).toBe(understood)
  })

  test('is understood over MCP and A2A too', async () => {
    const valid = await mcp('agent_apps_validate', { manifest: loose('m-mcp') })
    expect(valid).toMatchObject({
      isError: false,
      meta: Object.entries(looseAs).map(([at, as]) => ({ pointer: `/manifest${at}`, as })),
      result: { structuredContent: { valid: true, warnings: looseWarnings } },
    })
    const planned = await a2a('agent_apps.provision', { manifest: loose('m-a2a'), dry_run: true })
    expect(planned.result?.['warnings']).toEqual(
      expect.arrayContaining(looseWarnings.map(matching)),
    )
  })

  test.for([
    ['another version', { manifest_version: '2' }, '/manifest_version'],
    ['a version that is no number alone', { manifest_version: '1.0.0' }, '/manifest_version'],
    ['a number that could be read in two ways', { agents: agentWith({ order: '020' }) }, order],
    ['a switch that could be read in two ways', { agents: agentWith({ enabled: 'yes' }) }, enabled],
  ] as const)('%s stays an error', async ([, members, pointer]) => {
    const manifest = { ...loose('m-wrong'), ...members }
    const { body } = await rest('POST', '/api/agent-apps/validate', manifest)
    expect(body).toMatchObject({ valid: false, findings: [{ severity: 'error', pointer }] })
    const refused = await rest('POST', '/api/agent-apps/', manifest)
    expect(refused).toMatchObject({ status: 422, body: { code: 'manifest_invalid' } })
  })

  test('of thousands of them a hundred are told, and how many more', async () => {
    const days = Array.from({ length: 40 }, (_, i) => String(i % 7))
    const tasks = Array.from({ length: 200 }, (_, i) => ({
      name: `T${i}`,
      prompt: 'x',
      reliability: { active_window: { days } },
    }))
    const agents = ['a', 'b', 'c', 'd', 'e'].map((local_id) => ({
      local_id,
      name: 'A',
      heart: { tasks },
    }))
    const { body } = await rest('POST', '/api/agent-apps/validate', {
      ...manifest('m-large'),
      agents,
    })
    expect(body).toMatchObject({ valid: true })
    const warnings = body['warnings'] as { code: string; message: string }[]
    expect(warnings).toHaveLength(101)
    expect(warnings.at(-1)?.message).toBe('39900 further texts were read in the same way.')
  })
})

function agentWith(task: object) {
  const tasks = [{ name: 'T', prompt: 'x', ...task }]
  return [{ local_id: 'lead', name: 'Lead', heart: { tasks } }]
}

function matching(one: object): unknown {
  return expect.objectContaining(one)
}
