import { expect, test } from 'vitest'
import { checkManifest, outsideReferences, shareSteps, warningsOf } from '#src/apps/check.ts'
import { tooManySteps } from '#src/apps/task-bound.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import { maskSteps } from '#src/apps/secrets.ts'
import { unmaskSteps } from '#src/apps/revisions/unmask.ts'
import type { Known } from '#src/agents/tasks/references/look-up.ts'
import { sealer } from '#src/core/seal.ts'

const sharesOf = (raw: unknown) => atOnce(shareSteps(raw))

const objection = (): undefined => undefined

type Sent = Record<string, unknown>

const prompt = 'Go on: {{input}}'

/** A manifest without a single finding: two agents, a writer that hands on to an editor. */
function newsroom(over: Sent = {}): Sent {
  return {
    manifest_version: 1,
    app_id: 'newsroom',
    name: 'Newsroom',
    agents: [writer(), editor()],
    connections: [{ from: 'writer', to: 'editor', permissions: ['message'] }],
    team: { name: 'Desk', member_local_ids: ['writer'] },
    ...over,
  }
}

function writer(task: Sent = {}): Sent {
  const output_sharing = { enabled: true, target_agent_id: 'editor', target_task_id: 'edit' }
  return {
    local_id: 'writer',
    name: 'Writer',
    heart: { tasks: [{ task_id: 'write', name: 'Write', prompt, output_sharing, ...task }] },
  }
}

function editor(task: Sent = {}): Sent {
  const triggers = [{ type: 'message', config: { from_agent_id: 'writer' } }]
  return {
    local_id: 'editor',
    name: 'Editor',
    heart: { tasks: [{ task_id: 'edit', name: 'Edit', prompt, triggers, ...task }] },
  }
}

/** Every finding in one line: severity, code, pointer and, where there is one, the suggestion. */
function findings(raw: unknown, surroundings: object = {}): string[] {
  const checked = checkManifest(raw, { objection, ...surroundings })
  const isRefused = checked.findings.some(({ severity }) => severity === 'error')
  expect(checked.manifest === undefined, 'a manifest is given unless there is an error').toBe(
    isRefused,
  )
  return checked.findings.map(({ severity, code, pointer, suggestion }) =>
    [severity, code, pointer, ...(suggestion ? [suggestion] : [])].join(' '),
  )
}

test('a good manifest has no findings and gets its defaults', () => {
  const { manifest, findings } = checkManifest(newsroom(), { objection })
  expect(findings).toEqual([])
  expect(manifest).toMatchObject({
    description: null,
    version: null,
    webhook: null,
    secrets: [],
    metadata: {},
    connections: [{ relationship_type: 'friend', shared_abilities: [], note: null }],
    team: { description: null, icon: null },
    agents: [{ id: null, skills: [], heart: { tasks: [{ step_timeout_seconds: 120 }] } }, {}],
  })
})

test('unknown members are kept at every level', () => {
  const extra = { 'x-note': { deep: [1] } }
  const sent = newsroom({
    ...extra,
    $schema: 'https://x.example/schema.json',
    metadata: { ...extra },
    agents: [{ ...writer(), ...extra }, editor()],
    connections: [{ from: 'writer', to: 'editor', ...extra }],
    team: { name: 'Desk', ...extra },
    webhook: { url: 'https://x.example', ...extra },
    secrets: [{ name: 'KEY', ...extra }],
  })
  const { manifest, findings } = checkManifest(sent, { objection })
  expect(findings).toEqual([])
  expect(manifest).toMatchObject(sent)
})

test('ten faults are found at once, each with its pointer and what was probably meant', () => {
  const raw = newsroom({
    app_id: 'News Room',
    agents: [
      writer({
        output_sharing: { enabled: true, target_agent_id: 'editor', target_task_id: 'edti' },
      }),
      editor({ triggers: [{ type: 'cron', config: { cron: '* * * * *' } }], order: 'first' }),
      { local_id: 'writer', name: '' },
      {
        local_id: 'critic',
        name: 'Critic',
        visibility: { profile_visibility: 'publik' },
        heart: { tasks: [{ name: 'Judge', approval_gate: { min_approvals: 2 } }] },
      },
    ],
    connections: [
      { from: 'writer', to: 'editr' },
      { from: 'editor', to: 'editor' },
    ],
    team: { member_local_ids: ['critik'] },
  })
  expect(
    findings(raw)
      .filter((line) => line.startsWith('error'))
      .sort(),
  ).toEqual([
    'error approval_unreachable /agents/3/heart/tasks/0/approval_gate/min_approvals',
    'error connection_to_self /connections/1',
    'error duplicate_local_id /agents/2/local_id',
    'error invalid_cron /agents/1/heart/tasks/0/triggers/0/config/cron',
    'error invalid_format /app_id',
    'error invalid_type /agents/1/heart/tasks/0/order',
    'error invalid_type /team/name',
    'error invalid_value /agents/3/visibility/profile_visibility public',
    'error too_small /agents/2/name',
    'error unknown_agent /connections/0/to editor',
    'error unknown_agent /team/member_local_ids/0 critic',
    'error unknown_task /agents/0/heart/tasks/0/output_sharing/target_task_id edit',
  ])
})

test.for([
  ['app_id', 'a'.repeat(64), 'a'.repeat(63)],
  ['app_id', 'a--b', 'a-b-c'],
  ['app_id', '-a', 'a'],
  ['app_id', 'a-', 'a1'],
  ['app_id', 'A', '1'],
  ['app_id', '', 'x'],
  ['name', '', 'x'],
  ['name', 'n'.repeat(201), 'n'.repeat(200)],
  ['name', 'a\u202e', 'ä'],
  ['manifest_version', 2, 1],
  ['manifest_version', '1', 1],
  ['description', 1, null],
  ['webhook', { url: 'https://x.example', secret: '' }, { url: 'https://x.example', secret: 's' }],
  ['metadata', [], { a: 1 }],
  ['secrets', [{ name: 'a-b' }], [{ name: '_A1' }]],
] as const)('%s may not be %j but may be %j', ([member, wrong, right]) => {
  const alone = { connections: [], team: null, agents: [{ local_id: 'solo', name: 'Solo' }] }
  const isHere = (line: string): boolean => line.includes(` /${member}`)
  expect(findings(newsroom({ ...alone, [member]: wrong })).filter(isHere)).toHaveLength(1)
  expect(findings(newsroom({ ...alone, [member]: right }))).toEqual([])
})

test.for([
  [0, false],
  [1, true],
  [50, true],
  [51, false],
] as const)('a manifest of %d agents is good: %s', ([count, isGood]) => {
  const agents = Array.from({ length: count }, (_, i) => ({ local_id: `a${i}`, name: 'A' }))
  const found = findings(newsroom({ agents, connections: [], team: null }))
  expect(found.some((line) => line.includes(' /agents'))).toBe(!isGood)
})

test.for([
  ['Ada_1-b', true],
  ['_a', true],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  ['a--b', false],
  ['a.b', false],
  ['-a', false],
  ['', false],
] as const)('the local_id "%s" is good: %s', ([local_id, isGood]) => {
  const manifest = newsroom({ agents: [{ local_id, name: 'A' }], connections: [], team: null })
  expect(findings(manifest).some((line) => line.includes('/agents/0/local_id'))).toBe(!isGood)
})

test.for([
  [null, 'error invalid_type '],
  ['text', 'error invalid_type '],
  [[], 'error invalid_type '],
] as const)('%j is no manifest, and nothing else is said of it', ([raw, line]) => {
  expect(findings(raw)).toEqual([line])
})

test('a missing manifest_version counts as 1, with a warning', () => {
  const { manifest_version, ...sent } = newsroom()
  expect(manifest_version).toBe(1)
  expect(findings(sent)).toEqual(['warning manifest_version_missing /manifest_version'])
})

test('ids may not be given twice, nor the one that another agent gets by default', () => {
  const solo = { connections: [], team: null }
  const agent = (local_id: string, id?: string): Sent => ({ local_id, name: 'A', id })
  expect(findings(newsroom({ ...solo, agents: [agent('a', 'x'), agent('b', 'x')] }))).toEqual([
    'error duplicate_id /agents/1/id',
  ])
  expect(findings(newsroom({ ...solo, agents: [agent('a'), agent('b', 'newsroom--a')] }))).toEqual([
    'error duplicate_id /agents/1/id',
  ])
})

test('task ids may not be given twice within an agent, and names without ids warn', () => {
  const tasks = [
    { name: 'A', task_id: 't', prompt },
    { name: 'B', task_id: 't', prompt },
    { name: 'C', prompt },
    { name: 'C', prompt },
  ]
  const agents = [
    { local_id: 'a', name: 'A', heart: { tasks } },
    { local_id: 'b', name: 'B', heart: { tasks: [{ name: 'A', task_id: 't', prompt }] } },
  ]
  expect(findings(newsroom({ agents, connections: [], team: null }))).toEqual([
    'error duplicate_task_id /agents/0/heart/tasks/1/task_id',
    'warning duplicate_task_name /agents/0/heart/tasks/3/name',
  ])
})

test('connections are between two different agents of the manifest, once in each direction', () => {
  const connections = [
    { from: 'writer', to: 'editor' },
    { from: 'editor', to: 'writer' },
    { from: 'writer', to: 'editor' },
    { from: 'newsroom--writer', to: 'editor', permissions: ['mesage'] },
    { to: 'editor' },
  ]
  expect(findings(newsroom({ connections }))).toEqual([
    'error invalid_type /connections/4/from',
    'error duplicate_connection /connections/2',
    'error unknown_agent /connections/3/from writer',
    'warning unknown_value /connections/3/permissions/0 message',
  ])
})

test('a team names agents of the manifest, each once', () => {
  const team = { name: 'Desk', member_local_ids: ['writer', 'writer', 'missing'] }
  expect(findings(newsroom({ team }))).toEqual([
    'error unknown_agent /team/member_local_ids/2',
    'warning duplicate_member /team/member_local_ids/1',
  ])
})

test('secrets are named for agents of the manifest, and never given', () => {
  const secrets = [{ name: 'KEY', agents: ['writer', 'editer'], value: 'geheim' }]
  expect(findings(newsroom({ secrets }))).toEqual([
    'error unknown_agent /secrets/0/agents/1 editor',
    'error secret_value_refused /secrets/0/value',
  ])
})

/** Agents outside of the manifest that may be reached. */
function agentsAre(ids: readonly string[], more: Partial<Known> = {}): Known {
  return {
    standing: (_from, id) => (ids.includes(id) ? 'reached' : 'missing'),
    hasTask: () => undefined,
    hasSecret: () => false,
    isOwn: () => false,
    persons: 1,
    own: [],
    ...more,
  }
}

const gate = {
  requires_approval: true,
  approvers: ['editor', 'newsroom--editor', 'chief'],
  min_approvals: 1,
}
const quorum = { min_approvals: 1, approver_agent_ids: ['editr'], fallback_agent_id: 'no one' }
const listening = [{ type: 'message', config: { from_agent_id: 'outsider' } }]

test('approvers and senders may be agents elsewhere, which is warned of unless they are known', () => {
  const raw = newsroom({
    agents: [writer({ approval_gate: gate, quorum, triggers: listening }), editor()],
  })
  const task = '/agents/0/heart/tasks/0'
  const impossible = `error unknown_agent ${task}/quorum/fallback_agent_id`
  const idle = `warning no_effect ${task}/quorum`
  expect(findings(raw)).toEqual([
    impossible,
    `warning unknown_agent ${task}/approval_gate/approvers/2`,
    `warning unknown_agent ${task}/quorum/approver_agent_ids/0 editor`,
    `warning unknown_agent ${task}/triggers/0/config/from_agent_id`,
    idle,
  ])
  const named = outsideReferences(raw).flatMap(({ agents }) => agents.map(({ id }) => id))
  expect(named).toEqual(['chief', 'editr', 'outsider'])
  expect(findings(raw, { known: agentsAre(named) })).toEqual([impossible, idle])
})

const sharing = '/agents/0/heart/tasks/0/output_sharing'
const toEditor = { enabled: true, target_agent_id: 'editor' }

test.for([
  ['a target task that is there', { ...toEditor, target_task_id: 'edit' }, {}, []],
  [
    'a target task that is not there',
    { ...toEditor, target_task_id: 'edits' },
    {},
    [`error unknown_task ${sharing}/target_task_id edit`],
  ],
  [
    'a target task without an id',
    { ...toEditor, target_task_id: 'Edit' },
    { task_id: null },
    [`error unknown_task ${sharing}/target_task_id`],
  ],
  ['a target agent that listens', toEditor, {}, []],
  ['an empty target task', { ...toEditor, target_task_id: '' }, {}, []],
  ['a target agent by its id', { ...toEditor, target_agent_id: 'newsroom--editor' }, {}, []],
  ['a listener without a sender', toEditor, { triggers: [{ type: 'message' }] }, []],
  ['a listener for the id', toEditor, { triggers: [from('newsroom--writer')] }, []],
  ['no trigger', toEditor, { triggers: [] }, ['no listener']],
  ['another trigger', toEditor, { triggers: [{ type: 'manual' }] }, ['no listener']],
  [
    'a disabled trigger',
    toEditor,
    { triggers: [{ type: 'message', enabled: false }] },
    ['no listener'],
  ],
  ['a trigger for another sender', toEditor, { triggers: [from('editor')] }, ['no listener']],
  ['a disabled task', toEditor, { enabled: false }, ['no listener']],
  ['a task kept from triggers', toEditor, { autonomy: 'manual' }, ['no listener']],
  [
    'an agent elsewhere',
    { ...toEditor, target_agent_id: 'editer' },
    {},
    [`warning unknown_agent ${sharing}/target_agent_id editor`],
  ],
  ['no agent', { enabled: true }, {}, [`warning share_target_missing ${sharing}/target_agent_id`]],
  ['nothing, for it is off on purpose', { enabled: false, target_agent_id: 'editer' }, {}, []],
  [
    'nothing, for it is off by default',
    { target_agent_id: 'editer' },
    {},
    [`warning switched_off ${sharing}/enabled`],
  ],
] as const)('sharing with %s', ([, output_sharing, receiving, expected]) => {
  const noListener = `warning share_target_has_no_listener ${sharing}/target_agent_id`
  const raw = newsroom({ agents: [writer({ output_sharing }), editor(receiving)] })
  expect(findings(raw)).toEqual(
    expected.map((line) => (line === 'no listener' ? noListener : line)),
  )
})

test('sharing with an agent elsewhere is warned of where it is known that nothing listens', () => {
  const share = { enabled: true, target_agent_id: 'chief' }
  const sent = (output_sharing: Sent): Sent =>
    newsroom({ agents: [writer({ output_sharing }), editor()] })
  const place = { known: agentsAre(['chief']), isUnheard: () => true }
  expect(sharesOf(sent(share))).toEqual([{ from: 'newsroom--writer', to: 'chief' }])
  expect(findings(sent(share), { ...place, isUnheard: () => false })).toEqual([])
  expect(findings(sent(share), place)).toEqual([
    `warning share_target_has_no_listener ${sharing}/target_agent_id`,
  ])
  for (const other of [{ target_task_id: 'edit' }, { enabled: false }]) {
    expect(sharesOf(sent({ ...share, ...other }))).toEqual([])
    expect(findings(sent({ ...share, ...other }), place)).not.toContainEqual(
      expect.stringContaining('target_agent_id'),
    )
  }
})

function from(from_agent_id: string): Sent {
  return { type: 'message', config: { from_agent_id } }
}

const edit = { task_id: 'edit', name: 'Edit', prompt }

test('what an agent says is warned of even where another part of the manifest is wrong', () => {
  const raw = newsroom({
    agents: [
      { ...writer({ runtime: 'promt' }), heart_rate: 1, owner_id: 'acc_2' },
      { local_id: 'editor', name: 'Editor', heart: { heartbeat_interval: '2h', tasks: [edit] } },
      { local_id: 'broken', name: 7 },
    ],
    webhook: { url: 'http://10.0.0.1/', events: ['agent_app.updated', 'run.complete'] },
  })
  const refused = (url: string): string => `${url} is private`
  expect(findings(raw, { objection: refused })).toEqual([
    'error invalid_type /agents/2/name',
    'warning unknown_value /agents/0/heart/tasks/0/runtime prompt',
    'warning member_ignored /agents/0/owner_id',
    'warning heartbeat_without_task /agents/1/heart/heartbeat_interval',
    'warning address_refused /webhook/url',
    'warning unknown_value /webhook/events/1 run.completed',
    'warning unknown_member /agents/0/heart_rate',
  ])
})

test("a member that nothing acts on is kept and told, unless it is said to be of one's own", () => {
  const raw = newsroom({
    conections: [],
    'x-colour': 'red',
    metadata: { colour: 'red' },
    agents: [
      {
        ...writer({ promt: 'Write.' }),
        brain: { temprature: 1, plugins: [{ name: 'web', config: { nme: 1 } }] },
        tasks: [{ nothing: 1 }],
      },
      { ...editor(), zodiac: 'leo', owner_id: null, created_at: null },
    ],
    workflow: [],
  })
  const told = findings(raw).filter((finding) => finding.includes('unknown_member'))
  expect(told).toEqual([
    'warning unknown_member /agents/0/heart/tasks/0/promt prompt',
    'warning unknown_member /agents/0/brain/temprature temperature',
    'warning unknown_member /agents/0/tasks heart.tasks',
    'warning unknown_member /agents/1/zodiac',
    'warning unknown_member /conections connections',
    'warning unknown_member /workflow connections',
  ])
})

const hook = (secret: string): Sent => ({ type: 'webhook', config: { path: 'p', secret } })
const secretive = (webhookSecret: string, triggerSecret: string): Sent =>
  newsroom({
    webhook: { url: 'https://x.example', secret: webhookSecret },
    agents: [writer({ triggers: [{ type: 'manual' }, hook(triggerSecret)] }), editor()],
  })
const triggerPointer = '/agents/0/heart/tasks/0/triggers/1/config/secret'

test('secrets are masked, and kept apart by their pointers; what was sent is not changed', () => {
  const raw = secretive('eins', 'zwei')
  const before = JSON.stringify(raw)
  const { masked, secrets } = atOnce(maskSteps(raw))
  expect(secrets).toEqual({ '/webhook/secret': 'eins', [triggerPointer]: 'zwei' })
  expect(masked).toEqual(secretive('***', '***'))
  expect(JSON.stringify(raw)).toBe(before)
})

test('a manifest without secrets is read back as it was sent', () => {
  const raw = newsroom({ webhook: { url: 'https://x.example', secret: null } })
  expect(atOnce(maskSteps(raw))).toEqual({ masked: raw, secrets: {} })
  expect(JSON.stringify(atOnce(maskSteps(raw)).masked)).toBe(JSON.stringify(raw))
})

test('masks are refused where nothing is kept that they could stand for', () => {
  expect(findings(secretive('***', '***'))).toEqual([
    'error secret_masked /webhook/secret',
    `error secret_masked ${triggerPointer}`,
  ])
})

const noAgents = { tasks: new Map(), agents: new Map() }

test('masks stand for the secrets of the manifest that was applied last', () => {
  const kept = atOnce(maskSteps(secretive('eins', 'zwei')))
  const sent = secretive('***', '***')
  const before = JSON.stringify(sent)
  const whole = atOnce(unmaskSteps(sent, kept, noAgents, sealer(Buffer.alloc(32))))
  expect(whole).toEqual(secretive('eins', 'zwei'))
  expect(JSON.stringify(sent)).toBe(before)
  const nothing = { masked: {}, secrets: {} }
  expect(atOnce(unmaskSteps(sent, nothing, noAgents, sealer(Buffer.alloc(32))))).toEqual(sent)
})

test('tens of thousands of secrets are taken out and put back in steps, and looked through once', () => {
  const headers = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`X-Token-${i}`, `t${i}`]),
  )
  const tools = [{ type: 'mcp', name: 'm', config: { url: 'https://x.example', headers } }]
  const tasks = Array.from({ length: 50 }, (_, i) => ({ task_id: `t${i}`, name: 'T', tools }))
  const agents = Array.from({ length: 20 }, (_, i) => ({ local_id: `a${i}`, heart: { tasks } }))
  const sent = { agents }
  const masking = stepsOf(maskSteps(sent))
  const { masked, secrets } = masking.value
  expect(Object.keys(secrets)).toHaveLength(20_000)
  let looks = 0
  const ownKeys = (all: object): (string | symbol)[] => {
    looks += 1
    return Reflect.ownKeys(all)
  }
  const kept = { masked, secrets: new Proxy<Record<string, string>>(secrets, { ownKeys }) }
  const unmasking = stepsOf(unmaskSteps(masked, kept, noAgents, sealer(Buffer.alloc(32))))
  expect(JSON.stringify(unmasking.value) === JSON.stringify(sent)).toBe(true)
  expect(looks).toBe(1)
  expect(Math.min(masking.count, unmasking.count)).toBeGreaterThan(20_000)
})

/** How many steps there are, and what they make. */
function stepsOf<T>(steps: Steps<T>): { count: number; value: T } {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next()
    if (done) return { count, value }
  }
}

test('the tasks of a manifest are counted and measured in a step each', () => {
  const tasks = Array.from({ length: 20 }, (_, i) => ({ task_id: `t${i}` }))
  const agents = Array.from({ length: 50 }, (_, i) => ({ local_id: `a${i}`, heart: { tasks } }))
  const { count, value } = stepsOf(tooManySteps({ agents }))
  expect(value).toEqual([])
  expect(count).toBeGreaterThan(1000)
  const large = { heart: { tasks: [{ prompt: '漢'.repeat(350_000) }] } }
  expect(stepsOf(tooManySteps({ agents: [agents[0], large] }))).toMatchObject({
    value: [{ code: 'too_many_tasks', pointer: '/agents/1/heart/tasks' }],
  })
})

test('warnings of an answer are the findings that are no errors', () => {
  const { findings } = checkManifest(newsroom({ conections: [] }), { objection })
  expect(warningsOf(findings)).toEqual([
    {
      code: 'unknown_member',
      pointer: '/conections',
      message: expect.stringContaining('"connections"'),
      suggestion: 'connections',
    },
  ])
})

test('a manifest of nothing but faults gets a thousand of each kind at most', () => {
  const connections = Array.from({ length: 20_000 }, (_, i) => ({
    from: `writr${i}`,
    to: `editr${i}`,
    permisions: [],
  }))
  const { findings } = checkManifest(newsroom({ connections }), { objection })
  expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(1000)
  expect(findings.filter(({ severity }) => severity === 'warning')).toHaveLength(1000)
})
