import { expect, test } from 'vitest'
import { appRevisionId, resolveAgent } from '#src/agents/app/app.ts'
import { manifestHash } from '#src/apps/app.ts'
import { checkManifest } from '#src/apps/check.ts'
import type { Manifest } from '#src/apps/manifest.ts'
import { planProvision, type Provision, type ProvisionPlace } from '#src/apps/plan.ts'

const place: ProvisionPlace = {
  ownerId: 'acc_1',
  now: '2026-01-01T00:00:00.000Z',
  hash: manifestHash('{}'),
  makeTaskId: () => 'tsk_made',
  seal: (secrets, key) => `${key}:${JSON.stringify(secrets)}`,
  sealSettings: () => null,
}

function manifestOf(over: object): Manifest {
  const sent = {
    manifest_version: 1,
    app_id: 'desk',
    name: 'Desk',
    agents: [
      { local_id: 'a', name: 'A' },
      { local_id: 'b', name: 'B', id: 'bee' },
      { local_id: 'c', name: 'C' },
    ],
    ...over,
  }
  const { manifest, findings } = checkManifest(sent, { objection: () => undefined })
  if (!manifest) throw new Error(JSON.stringify(findings))
  return manifest
}

function planned(over: object): Provision {
  return planProvision(manifestOf(over), place)
}

test('agents get the id that is given, else one of the app and the local id', () => {
  const { app, characters } = planned({})
  const ids = ['desk--a', 'bee', 'desk--c']
  expect(characters.map(({ id }) => id)).toEqual(ids)
  expect(app.agents).toEqual([
    { local_id: 'a', id: 'desk--a' },
    { local_id: 'b', id: 'bee' },
    { local_id: 'c', id: 'desk--c' },
  ])
  expect(characters[0]).toMatchObject({
    owner_id: 'acc_1',
    app_id: 'desk',
    local_id: 'a',
    revision: 1,
    created_at: place.now,
    words: ['desk', 'a'],
  })
  expect(Object.keys(characters[0] ?? {}).filter((name) => name === 'local_id')).toHaveLength(1)
})

test('the record of the app says what was provisioned, and no secret', () => {
  const { app } = planned({
    description: 'Helps',
    version: '2.0',
    webhook: { url: 'https://x.example', secret: 'geheim', events: ['agent_app.updated'] },
    team: { name: 'Team', member_local_ids: ['c', 'a'] },
  })
  expect(app).toMatchObject({
    id: 'desk',
    app_id: 'desk',
    owner_id: 'acc_1',
    name: 'Desk',
    description: 'Helps',
    version: '2.0',
    status: 'active',
    connections: [],
    team: { name: 'Team', description: null, icon: null },
    webhook: {
      url: 'https://x.example',
      events: ['agent_app.updated'],
      secret: '***',
      state: 'active',
    },
    revision: 1,
    manifest_hash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    created_at: place.now,
    updated_at: place.now,
  })
  expect(app.team?.members.map(({ local_id }) => local_id)).toEqual(['a', 'c'])
})

test('a team that names no members is every agent; without team or webhook there is null', () => {
  expect(planned({ team: { name: 'All' } }).app.team?.members).toHaveLength(3)
  expect(planned({}).app).toMatchObject({ team: null, webhook: null })
  const open = planned({ webhook: { url: 'https://x.example' } }).app
  expect(open.webhook).toMatchObject({ secret: null, events: [] })
})

test('every connection becomes two accepted edges with the same permissions', () => {
  const connection = {
    from: 'a',
    to: 'b',
    relationship_type: 'colleague',
    permissions: ['run_task'],
    shared_abilities: ['feed'],
    note: 'hands on',
  }
  const { from: _from, to: _to, ...terms } = connection
  const common = {
    ...terms,
    status: 'accepted',
    created_at: place.now,
    owner_id: 'acc_1',
    app_id: 'desk',
  }
  expect(planned({ connections: [connection] }).edges).toEqual([
    { char_id: 'desk--a', friend_id: 'bee', id: 'desk--a/bee', ...common },
    { char_id: 'bee', friend_id: 'desk--a', id: 'bee/desk--a', ...common },
  ])
})

test('where both directions are connected, each keeps its own permissions', () => {
  const connections = [
    { from: 'a', to: 'b', permissions: ['run_task'] },
    { from: 'c', to: 'a', permissions: ['approve'] },
    { from: 'b', to: 'a', permissions: ['message'] },
  ]
  const { edges } = planned({ connections })
  expect(edges.map(({ id, permissions }) => `${id} ${permissions.join()}`).sort()).toEqual([
    'bee/desk--a message',
    'desk--a/bee run_task',
    'desk--a/desk--c approve',
    'desk--c/desk--a approve',
  ])
})

test('tasks are documents of their own, with ids made where none is given and secrets sealed', () => {
  const tasks = [
    { task_id: 'first', name: 'First', output_sharing: { enabled: true, target_agent_id: 'b' } },
    {
      name: 'Second',
      triggers: [{ type: 'webhook', config: { path: 'p', secret: 'geheim' } }],
    },
  ]
  const agents = [
    { local_id: 'a', name: 'A', heart: { timezone: 'UTC', tasks } },
    {
      local_id: 'b',
      name: 'B',
      heart: { tasks: [{ name: 'x', triggers: [{ type: 'message' }] }] },
    },
  ]
  const { characters, tasks: planned_ } = planned({ agents })
  expect(planned_.map(({ id }) => id)).toEqual([
    'desk--a/first',
    'desk--a/tsk_made',
    'desk--b/tsk_made',
  ])
  expect(planned_[0]).toMatchObject({
    owner_id: 'acc_1',
    app_id: 'desk',
    char_id: 'desk--a',
    trigger_secrets: null,
    output_sharing: { target_agent_id: 'b' },
  })
  expect(planned_[1]?.trigger_secrets).toBe('desk--a/tsk_made:{"0":"geheim"}')
  expect(planned_[1]?.triggers[0]?.config).toEqual({ path: 'p', secret: '***' })
  expect(characters[0]?.heart).toEqual({ tasks: [], heartbeat_interval: null, timezone: 'UTC' })
  expect(characters[1]?.heart?.tasks).toEqual([])
})

test('the plan lists everything that is written, and nothing else', () => {
  const { plan, app, characters, tasks, edges } = planned({
    agents: [
      { local_id: 'a', name: 'A', heart: { tasks: [{ name: 'x', task_id: 't' }] } },
      { local_id: 'b', name: 'B' },
    ],
    connections: [{ from: 'a', to: 'b' }],
  })
  expect(plan).toEqual({
    create: [
      { kind: 'app', id: 'desk' },
      { kind: 'agent', id: 'desk--a' },
      { kind: 'agent', id: 'desk--b' },
      { kind: 'task', id: 'desk--a/t' },
      { kind: 'connection', id: 'desk--a/desk--b' },
      { kind: 'connection', id: 'desk--b/desk--a' },
    ],
    update: [],
    unchanged: [],
    remove: [],
    orphaned: [],
  })
  expect([app.id, ...[...characters, ...tasks, ...edges].map(({ id }) => id)]).toEqual(
    plan.create.map(({ id }) => id),
  )
})

test('planning changes nothing of the manifest and comes to the same again', () => {
  const manifest = manifestOf({ connections: [{ from: 'a', to: 'c' }] })
  const before = structuredClone(manifest)
  expect(planProvision(manifest, place)).toEqual(planProvision(manifest, place))
  expect(manifest).toEqual(before)
})

test('a reference is a local id of the app first, else a global id', () => {
  const agents = [
    { local_id: 'a', id: 'b' },
    { local_id: 'b', id: 'desk--b' },
  ]
  expect(resolveAgent('a', agents)).toBe('b')
  expect(resolveAgent('b', agents)).toBe('desk--b')
  expect(resolveAgent('elsewhere', agents)).toBe('elsewhere')
  expect(appRevisionId('desk', 3)).toBe('desk@3')
})
