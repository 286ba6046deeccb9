import { expect, test } from 'vitest'
import { callsIn } from '#tests/operations/doors/words.ts'
import { served } from '#tests/support/served/served.ts'

const here = served()

const agents = [{ local_id: 'a', name: 'A' }]
const task = { task_id: 't', name: 'T', prompt: 'x' }
const withTask = (more: object) => [{ ...agents[0], heart: { tasks: [{ ...task, ...more }] } }]

/** Manifests with errors, and what the hint shows of each. */
const wrong: readonly [title: string, manifest: object, shown: object][] = [
  ['nothing in it', {}, { app_id: 'newsroom' }],
  ['no agents', { app_id: 'x', name: 'X' }, { app_id: 'x', agents: [{ name: 'Rosa' }] }],
  ['another name of the id', { id: 'x', name: 'X', agents }, { app_id: 'x', name: 'X', agents }],
  [
    'camel case',
    { appId: 'x', name: 'X', agents: [{ localId: 'a', name: 'A' }] },
    { app_id: 'x', agents },
  ],
  ['a title', { app_id: 'x', title: 'X', agents }, { app_id: 'x', name: 'X', agents }],
  ['an id of another form', { app_id: 'X Y', name: 'X', agents }, { app_id: 'newsroom', agents }],
  ['a map of agents', { app_id: 'x', name: 'X', agents: { a: {} } }, { app_id: 'x' }],
  ['names for agents', { app_id: 'x', name: 'X', agents: ['a', 'b'] }, { app_id: 'newsroom' }],
  ['an agent twice', { app_id: 'x', name: 'X', agents: [...agents, ...agents] }, {}],
  [
    'an agent without its id',
    { app_id: 'x', name: 'X', agents: [{ id: 'a', name: 'A' }] },
    { app_id: 'x', agents: [{ local_id: 'researcher', id: 'a', name: 'A' }] },
  ],
  [
    'a connection to nothing',
    { app_id: 'x', name: 'X', agents, connections: [{ from: 'a', to: 'b' }] },
    { app_id: 'newsroom' },
  ],
  [
    'a misspelled connection',
    {
      app_id: 'x',
      name: 'X',
      agents: [...agents, { local_id: 'writer', name: 'W' }],
      connections: [{ from: 'a', to: 'writr' }],
    },
    { app_id: 'x', connections: [{ from: 'a', to: 'writer' }] },
  ],
  [
    'a bad pattern',
    { app_id: 'x', name: 'X', agents: withTask({ triggers: [{ type: 'cron' }] }) },
    {},
  ],
  [
    'a long text',
    { app_id: 'x', agents, metadata: { a: 'x'.repeat(1000) } },
    { app_id: 'newsroom' },
  ],
  [
    'a secret',
    { app_id: 'x', agents, webhook: { url: 'u', secret: 'hush' } },
    { app_id: 'newsroom' },
  ],
]

test.each(wrong)('a manifest with %s is led to one that works', async (_, manifest, shown) => {
  const { error } = await here.calls.tool('agent_apps_provision', { manifest })
  expect(error).toMatchObject({ code: 'manifest_invalid' })
  const calls = callsIn(error?.hint ?? '', 'mcp').filter(({ input }) => 'manifest' in input)
  expect(calls.map(({ op }) => op.name)).toEqual(['agent_apps.validate'])
  const input = calls[0]?.input ?? {}
  expect(input).toMatchObject({ manifest: shown })
  expect(JSON.stringify(input)).not.toContain('hush')
  const { answer } = await here.calls.tool('agent_apps_validate', input)
  expect(answer).toMatchObject({ valid: true })
})

test('the same is told over REST and A2A, in their words', async () => {
  const manifest = { id: 'x', name: 'X', agents }
  const { body } = await here.calls.rest('POST', '/api/agent-apps/', manifest)
  const [overRest] = callsIn(String(body['hint']), 'rest')
  expect(overRest?.input).toMatchObject({ manifest: { app_id: 'x', agents } })
  const { error } = await here.calls.method('agent_apps.provision', { manifest })
  const [overA2a] = callsIn(error?.hint ?? '', 'a2a')
  expect(overA2a?.input).toMatchObject({ manifest: { app_id: 'x', agents } })
})

test('an update is led on too, and shows nothing that is kept', async () => {
  const manifest = {
    app_id: 'kept',
    name: 'Kept',
    agents,
    webhook: { url: 'https://a.example', secret: 'hush' },
  }
  await here.stage.ask('agent_apps.provision', { manifest })
  const { answer } = await here.calls.tool('agent_apps_manifest', { app_id: 'kept' })
  const input = { app_id: 'kept', manifest: { ...answer, name: 5 } }
  const { error } = await here.calls.tool('agent_apps_update', input)
  expect(error).toMatchObject({
    code: 'manifest_invalid',
    hint: expect.stringContaining('`agent_apps_validate {'),
  })
  expect(error?.hint).not.toContain('hush')
})
