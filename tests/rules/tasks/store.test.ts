import { expect, test } from 'vitest'
import { Control } from '#src/agents/control.ts'
import { Refusal } from '#src/core/errors.ts'
import { runtimeNames } from '#src/agents/tasks/runtimes.ts'
import type { TaskSecrets } from '#src/agents/tasks/secrets.ts'
import { patchedTask, taskFrom, type TaskPlace } from '#src/agents/tasks/stored-task.ts'
import { publicTask } from '#src/agents/tasks/replace-tasks.ts'
import { TaskInput, type StoredTask } from '#src/agents/tasks/task.ts'
import { taskWarnings } from '#src/agents/tasks/warnings.ts'

const objection = (): undefined => undefined
const place: TaskPlace = {
  charId: 'ada',
  ownerId: 'acc_1',
  appId: 'shop',
  taskId: 'digest',
  now: '2026-01-01T00:00:00.000Z',
}

const digest = { name: 'Digest', prompt: 'Sum up.' }

function created(sent: object): { task: StoredTask; secrets: TaskSecrets } {
  return taskFrom(TaskInput.parse({ name: 'Digest', ...sent }), place)
}

/** What an update by merging makes of a task. */
function updated(previous: { task: StoredTask; secrets: TaskSecrets }, patch: object) {
  const input = TaskInput.parse(patchedTask(previous.task, patch))
  return taskFrom(input, { ...place, appId: null, now: '2026-02-02T00:00:00.000Z', previous })
}

function refusal(make: () => unknown): Refusal {
  try {
    make()
  } catch (cause) {
    if (cause instanceof Refusal) return cause
    throw cause
  }
  throw new Error('it was not refused')
}

const hook = (path: string, secret?: string): object => ({
  type: 'webhook',
  config: { path, ...(secret !== undefined && { secret }) },
})

test('a task is kept with its first members in order and what no read gives at its end', () => {
  const { task } = created({ task_id: 'other', x_note: 1, order: 3 })
  const names = Object.keys(task)
  expect(names.slice(0, 5)).toEqual(['task_id', 'char_id', 'revision', 'order', 'name'])
  expect(names.slice(names.indexOf('updated_at') + 1)).toEqual([
    'id',
    'owner_id',
    'app_id',
    'trigger_secrets',
    'due_at',
    'reacts',
    'awaited_calls',
    'waiting_run',
  ])
  expect(task).toMatchObject({
    task_id: 'digest',
    char_id: 'ada',
    revision: 1,
    order: 3,
    x_note: 1,
    created_at: place.now,
    updated_at: place.now,
    id: 'ada/digest',
    owner_id: 'acc_1',
    app_id: 'shop',
    trigger_secrets: null,
  })
})

test('what only the platform sets is not taken from callers', () => {
  const forged = {
    id: 'x/y',
    char_id: 'x',
    owner_id: 'acc_2',
    app_id: 'x',
    revision: 99,
    trigger_secrets: 'x',
    created_at: 'then',
    updated_at: 'then',
    warnings: [],
    reliability: { pause_reason: 'mine' },
    rating_summary: { average: 5, count: 1000 },
  }
  const { task } = created({ ...forged, enabled: false })
  expect(task).toEqual(created({ reliability: {}, enabled: false }).task)
  const warnings = taskWarnings(TaskInput.parse({ ...digest, ...forged }), { objection }, '/t')
  expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(
    [
      'id',
      'char_id',
      'owner_id',
      'app_id',
      'revision',
      'trigger_secrets',
      'created_at',
      'updated_at',
      'warnings',
      'reliability/pause_reason',
      'rating_summary',
    ].map((name) => `member_ignored /t/${name}`),
  )
})

test('an update keeps age, app, ratings and the reason of a pause, and counts the revision', () => {
  const first = created({ reliability: { pause_on_failure: true } })
  const rated = { average: 4, count: 2 }
  const paused: StoredTask = {
    ...first.task,
    enabled: false,
    rating_summary: rated,
    reliability: first.task.reliability && { ...first.task.reliability, pause_reason: 'it failed' },
  }
  const next = updated({ task: paused, secrets: {} }, { prompt: 'x', rating_summary: null }).task
  expect(next).toMatchObject({
    revision: 2,
    prompt: 'x',
    app_id: 'shop',
    created_at: place.now,
    updated_at: '2026-02-02T00:00:00.000Z',
    rating_summary: rated,
    reliability: { pause_reason: 'it failed' },
  })
  const enabled = updated({ task: next, secrets: {} }, { enabled: true }).task
  expect(enabled.reliability?.pause_reason).toBeNull()
})

test('sending back what was read changes nothing but the revision, and warns of nothing', () => {
  const first = created({
    variables: { a: '1' },
    reliability: {},
    triggers: [hook('x', 'geheim')],
  })
  const rated: StoredTask = {
    ...first.task,
    rating_summary: { average: 4, count: 2 },
    trigger_secrets: 'sealed',
  }
  const previous = { task: rated, secrets: first.secrets }
  const read = publicTask(rated)
  const next = updated(previous, structuredClone(read))
  expect(next.task).toEqual({
    ...rated,
    revision: 2,
    updated_at: '2026-02-02T00:00:00.000Z',
    trigger_secrets: null,
  })
  expect(next.secrets).toEqual({ 0: 'geheim' })
  const input = TaskInput.parse(patchedTask(rated, structuredClone(read)))
  expect(taskWarnings(input, { objection, previous: rated })).toEqual([])
})

test('a null in a patch removes an entry of variables', () => {
  const first = created({ variables: { a: '1', b: '2' } })
  expect(updated(first, { variables: { a: null } }).task.variables).toEqual({ b: '2' })
})

test('secrets of triggers are taken out of the task', () => {
  const sent = { triggers: [{ type: 'manual' }, hook('a', 'eins'), hook('b'), hook('c', 'drei')] }
  const input = TaskInput.parse({ name: 'Digest', ...sent })
  const { task, secrets } = taskFrom(input, place)
  expect(secrets).toEqual({ 1: 'eins', 3: 'drei' })
  expect(JSON.stringify(task)).not.toMatch(/eins|drei/)
  expect(task.triggers.map(({ config }) => config.secret)).toEqual([
    undefined,
    '***',
    undefined,
    '***',
  ])
  expect(input.triggers[1]?.config.secret, 'what was sent is not changed').toBe('eins')
})

test('a masked secret is kept where its webhook moves to, and another one replaces it', () => {
  const first = created({ triggers: [hook('a', 'eins'), hook('b', 'zwei')] })
  const swapped = updated(first, { triggers: [hook('b', '***'), hook('a', '***')] })
  expect(swapped.secrets).toEqual({ 0: 'zwei', 1: 'eins' })
  const renamed = updated(first, { triggers: [hook('new', '***'), hook('b', 'neu')] })
  expect(renamed.secrets).toEqual({ 0: 'eins', 1: 'neu' })
  const dropped = updated(first, { triggers: [hook('b', '***')] })
  expect(dropped.secrets).toEqual({ 0: 'zwei' })
})

test('a mask where no secret is kept is refused, each with its pointer', () => {
  const create = refusal(() =>
    taskFrom(TaskInput.parse({ name: 'D', triggers: [hook('a', '***'), hook('b', '***')] }), {
      ...place,
      pointer: '/heart/tasks/3',
    }),
  )
  expect(create.code).toBe('invalid_input')
  expect(create.errors?.map(({ pointer, code }) => `${code} ${pointer}`)).toEqual([
    'secret_masked /heart/tasks/3/triggers/0/config/secret',
    'secret_masked /heart/tasks/3/triggers/1/config/secret',
  ])
  const first = created({ triggers: [{ type: 'manual' }, hook('a')] })
  expect(refusal(() => updated(first, { triggers: [hook('a', '***')] })).code).toBe('invalid_input')
})

test('a mask does not carry the secret of one type of trigger to another', () => {
  const first = created({ triggers: [{ type: 'event', config: { secret: 'eins' } }] })
  expect(refusal(() => updated(first, { triggers: [hook('a', '***')] })).code).toBe('invalid_input')
})

test.for([
  ['autonomy', 'manuel', 'unknown_value', '/autonomy', 'manual'],
  ['runtime', 'promt', 'unknown_value', '/runtime', 'prompt'],
  ['tools', [{ name: 't', type: 'htpp' }], 'unknown_value', '/tools/0/type', 'http'],
  ['artifact_stores', [{ type: 'lokal' }], 'unknown_value', '/artifact_stores/0/type', 'local'],
  ['variable_types', { 'a/b': 'numbre' }, 'unknown_value', '/variable_types/a~1b', 'number'],
  [
    'triggers',
    [{ type: 'event', config: { event: 'run.complete' } }],
    'unknown_value',
    '/triggers/0/config/event',
    'run.completed',
  ],
  ['triggers', [{ type: 'event' }], 'event_missing', '/triggers/0/config/event', undefined],
  [
    'triggers',
    [{ type: 'event', config: { event: 'run.failed', filter: 'char_id=ada' } }],
    'filter_unreadable',
    '/triggers/0/config/filter',
    undefined,
  ],
  [
    'reliability',
    { max_jitter_seconds: 3600 },
    'jitter_reduced',
    '/reliability/max_jitter_seconds',
    undefined,
  ],
  ['prompt', ' ', 'prompt_missing', '/prompt', undefined],
  ['runtime', 'api', 'runtime_incomplete', '/api_url', undefined],
  ['runtime', 'human_approval', 'runtime_incomplete', '/quorum', undefined],
  [
    'output_sharing',
    { target_agent_id: 'b', target_task_id: 't' },
    'switched_off',
    '/output_sharing/enabled',
    undefined,
  ],
  [
    'approval_gate',
    { approvers: ['b'] },
    'switched_off',
    '/approval_gate/requires_approval',
    undefined,
  ],
  ['prompt', 'Use {{ secret.KEY }}', 'secret_in_prompt', '/prompt', undefined],
  ['skip_next_run_at', 'tomorrow', 'time_unreadable', '/skip_next_run_at', undefined],
  [
    'output_sharing',
    { enabled: true },
    'share_target_missing',
    '/output_sharing/target_agent_id',
    undefined,
  ],
] as const)('%s = %j is kept with the warning %s', ([member, value, code, pointer, suggestion]) => {
  const input = TaskInput.parse({ ...digest, [member]: value })
  expect(taskWarnings(input, { objection })).toEqual([
    { code, pointer, message: expect.any(String), ...(suggestion && { suggestion }) },
  ])
})

test('a switch that was sent as off is meant, and what is off by default or from before is told of', () => {
  const told = (sent: object, previous?: StoredTask): string[] => {
    const whole = previous ? patchedTask(previous, sent) : { ...digest, ...sent }
    const all = taskWarnings(TaskInput.parse(whole), { objection, previous, sent })
    return all.map(({ code, pointer }) => `${code} ${pointer}`)
  }
  const off = { enabled: false, target_agent_id: 'b' }
  const warned = ['switched_off /output_sharing/enabled']
  expect(told({ output_sharing: off })).toEqual([])
  expect(told({ output_sharing: { target_agent_id: 'b' } })).toEqual(warned)
  const { task: kept } = created({ output_sharing: off })
  expect(told({ output_sharing: { target_task_id: 't' } }, kept)).toEqual(warned)
  expect(told({ output_sharing: { target_agent_id: 'b' } }, kept)).toEqual([])
  expect(told({ name: 'Other' }, kept)).toEqual([])
  expect(told({ output_sharing: { enabled: false, target_task_id: 't' } }, kept)).toEqual([])
  const { task: on } = created({ output_sharing: { ...off, enabled: true } })
  expect(told({ output_sharing: { enabled: false } }, on)).toEqual([])
})

test('triggers that come within an hour of each other are told of where they are new', () => {
  const triggers = ['0 9 * * *', '30 9 * * *'].map((cron) => ({ type: 'cron', config: { cron } }))
  const input = TaskInput.parse({ ...digest, triggers })
  const now = new Date('2026-03-02T08:00:00Z')
  const told = taskWarnings(input, { objection, now }, '/t')
  expect(told).toMatchObject([{ code: 'fires_too_often', pointer: '/t/triggers' }])
  expect(told[0]?.message).toContain('2026-03-02T09:00:00.000Z and 2026-03-02T09:30:00.000Z')
  const { task: previous } = created({ triggers })
  expect(taskWarnings(input, { objection, now, previous })).toEqual([])
  expect(taskWarnings(input, { objection })).toEqual([])
})

test('a placeholder that a run of the schedule could not fill in is told of', () => {
  const triggers = [{ type: 'cron', config: { cron: '0 9 * * *' } }]
  const told = (more: object): object[] =>
    taskWarnings(TaskInput.parse({ ...digest, prompt: 'On {{topic}}: {{input}}', ...more }), {
      objection,
    })
  expect(told({ triggers, variables: { topics: 'x' } })).toMatchObject([
    { code: 'unknown_variable', pointer: '/prompt', suggestion: 'topics' },
  ])
  expect(told({ triggers, variables: { topic: 'x' } })).toEqual([])
  expect(told({ triggers: [{ ...triggers[0], enabled: false }] })).toEqual([])
  expect(told({})).toEqual([])
})

test('known values warn of nothing', () => {
  const input = TaskInput.parse({
    ...digest,
    autonomy: 'supervised',
    runtime: 'router',
    tools: [{ name: 't' }],
    artifact_stores: [{ type: 'local' }],
    variable_types: { a: 'json' },
    triggers: [{ type: 'event', config: { event: 'task.paused' } }],
    reliability: { max_jitter_seconds: 3599 },
    skip_next_run_at: '2026-01-01T09:00:00Z',
  })
  expect(taskWarnings(input, { objection })).toEqual([])
})

test('results are posted only to channels that something is sent to, which is said where the channels are known', () => {
  const control = Control.parse({
    channels: [
      { name: 'ops', type: 'webhook' },
      { name: 'chat', type: 'mcp' },
    ],
  })
  const posting = (channels: string[]) =>
    TaskInput.parse({ name: 'D', prompt: 'x', social_posting: { enabled: true, channels } })
  const pointers = (task: TaskInput, known: Control | null | undefined): string[] =>
    taskWarnings(task, { objection, control: known }).map(({ pointer }) => pointer)
  const first = '/social_posting/channels'
  expect(pointers(posting(['ops', 'chat', 'gone']), control)).toEqual([`${first}/1`, `${first}/2`])
  expect(pointers(posting([]), control)).toEqual([first])
  expect(pointers(posting([]), { ...control, default_channel: 'ops' })).toEqual([])
  expect(pointers(posting(['ops']), null)).toEqual([`${first}/0`])
  expect(pointers(posting(['gone']), undefined)).toEqual([])
})

test('a runtime that there is not is told with all that there are', () => {
  const input = TaskInput.parse({ name: 'D', prompt: 'x', runtime: 'lambda' })
  const [told] = taskWarnings(input, { objection }, '/t')
  expect(told).toMatchObject({ code: 'unknown_value', pointer: '/t/runtime' })
  for (const name of runtimeNames) expect(told?.message).toContain(name)
})

test('members that nothing acts on are told, with what to do instead, until they are kept', () => {
  const sent = { name: 'D', prompt: 'x', runtime_mode: 'async', satellite_category: 'news' }
  const input = TaskInput.parse(sent)
  const told = taskWarnings(input, { objection }, '/t')
  expect(told).toMatchObject(
    [
      { code: 'no_effect', pointer: '/t/runtime_mode', message: /wait_seconds/ },
      { code: 'no_effect', pointer: '/t/satellite_category', message: /tags/ },
    ].map((one) => ({ ...one, message: expect.stringMatching(one.message) as string })),
  )
  const previous = created(sent).task
  expect(taskWarnings(input, { objection, previous }, '/t')).toEqual([])
})

test('a task full of unknown words gets a thousand warnings at most', () => {
  const tools = Array.from({ length: 5000 }, (_, i) => ({
    name: 't',
    type: `htttp${i}`,
    config: {},
    enabled: true,
  }))
  // More tools than a task may have, so that the bound is met.
  const task = { ...TaskInput.parse({ name: 'D' }), tools }
  expect(taskWarnings(task, { objection })).toHaveLength(1000)
})
