import { expect, test } from 'vitest'
import { pointerTo } from '#src/core/text/text.ts'
import { TaskInput } from '#src/agents/tasks/task.ts'

/** Puts a value where a dotted path says; numbers are positions. */
function at(path: string, value: unknown): object {
  const whole = path
    .split('.')
    .reduceRight<unknown>((inner, name) => (/^\d$/.test(name) ? [inner] : { [name]: inner }), value)
  return whole as object
}

function faults(sent: object): string[] {
  const result = TaskInput.safeParse({ name: 'Digest', ...sent })
  return result.error?.issues.map((issue) => pointerTo(issue.path)) ?? []
}

test('a name is all that a task needs, and the rest is filled in', () => {
  const nulls = [
    'task_id',
    'autonomy',
    'skip_next_run_at',
    'runtime',
    'runtime_mode',
    'model_override',
    'router_model',
    'container_image',
    'container_command',
    'shell_command',
    'workflow_entry',
    'api_url',
    'output_path',
    'memory_namespace',
    'description',
    'output_sharing',
    'social_posting',
    'rating_summary',
    'public_title',
    'cta_label',
    'price_cents',
    'payment_price_id',
    'form_schema',
    'satellite_category',
    'quorum',
    'approval_gate',
    'reliability',
  ]
  expect(TaskInput.parse({ name: 'Digest' })).toEqual({
    ...Object.fromEntries(nulls.map((name) => [name, null])),
    name: 'Digest',
    order: 0,
    prompt: '',
    variables: {},
    variable_types: {},
    triggers: [],
    tools: [],
    artifact_stores: [],
    enabled: true,
    public: true,
    selected_secrets: [],
    selected_connections: [],
    post_to_feed: true,
    service_enabled: false,
    step_timeout_seconds: 120,
    tags: [],
  })
})

test.for([
  ['triggers.0', { type: 'manual' }, { config: {}, enabled: true }],
  ['tools.0', { name: 't' }, { type: 'mcp', config: {}, enabled: true }],
  ['artifact_stores.0', { type: 's3' }, { connection: null, config: {}, enabled: true }],
  [
    'output_sharing',
    {},
    {
      enabled: false,
      target_agent_id: null,
      target_task_id: null,
      message_prefix: null,
      handoff_artifact: null,
      handoff_memory_key: null,
    },
  ],
  ['social_posting', {}, { enabled: false, channels: [], message_prefix: null }],
  ['rating_summary', {}, { average: 0, count: 0 }],
  ['form_schema', {}, { fields: [] }],
  [
    'form_schema.fields.0',
    { key: 'k' },
    { label: null, placeholder: null, type: 'text', required: false, options: [] },
  ],
  [
    'quorum',
    { min_approvals: 1, approver_agent_ids: ['a'] },
    { timeout_seconds: null, fallback_agent_id: null },
  ],
  [
    'approval_gate',
    {},
    {
      requires_approval: false,
      approval_prompt: '',
      approvers: [],
      min_approvals: 1,
      timeout_seconds: null,
      on_reject: 'abandon',
    },
  ],
  [
    'reliability',
    {},
    {
      overlap_policy: 'allow',
      max_jitter_seconds: 0,
      pause_on_failure: false,
      pause_reason: null,
      active_window: null,
    },
  ],
  ['reliability.active_window', {}, { start: '09:00', end: '18:00', days: [] }],
] as const)('what %s leaves out gets its defaults', ([path, sent, defaults]) => {
  const task = TaskInput.parse({ name: 'Digest', ...at(path, sent) })
  expect(task).toMatchObject(at(path, { ...sent, ...defaults }))
})

const cron = (pattern: unknown): object => ({ type: 'cron', config: { cron: pattern } })
const webhook = (config: object): object => ({ type: 'webhook', config })

test.for([
  ['name', '', 'x', ''],
  ['name', null, 'x', ''],
  ['task_id', '-x', 'x.y_z-1', ''],
  ['task_id', 'a/b', null, ''],
  ['order', 1.5, -3, ''],
  ['prompt', null, '', ''],
  ['variables', { a: 1 }, { a: '1' }, '.a'],
  ['variable_types', { a: null }, { a: 'number' }, '.a'],
  ['enabled', 'yes', false, ''],
  ['step_timeout_seconds', 0, 1, ''],
  ['step_timeout_seconds', 3601, 3600, ''],
  ['step_timeout_seconds', null, 120, ''],
  ['price_cents', -1, 0, ''],
  ['price_cents', 1.5, null, ''],
  ['memory_namespace', 'a/b', 'notes', ''],
  ['output_sharing.handoff_memory_key', 'a/b', 'draft', ''],
  ['rating_summary.average', 5.1, 5, ''],
  ['rating_summary.average', -0.1, 0, ''],
  ['rating_summary.count', -1, 0, ''],
  ['rating_summary.count', 0.5, 7, ''],
  ['reliability.overlap_policy', 'kill', 'queue', ''],
  ['reliability.max_jitter_seconds', -1, 100_000, ''],
  ['reliability.max_jitter_seconds', 0.5, 0, ''],
  ['reliability.active_window.start', '9:00', '09:00', ''],
  ['reliability.active_window.start', '24:00', '23:59', ''],
  ['reliability.active_window.end', '12:60', '00:00', ''],
  ['reliability.active_window.days.0', 7, 6, ''],
  ['reliability.active_window.days.0', -1, 0, ''],
  ['approval_gate.min_approvals', 0, 1, ''],
  ['approval_gate.timeout_seconds', 0, 1, ''],
  ['approval_gate.on_reject', 'retry', 'notify_only', ''],
  [
    'quorum',
    { approver_agent_ids: ['a'] },
    { min_approvals: 1, approver_agent_ids: ['a'] },
    '.min_approvals',
  ],
  ['quorum', { min_approvals: 1, approver_agent_ids: [] }, null, '.approver_agent_ids'],
  ['quorum', { min_approvals: 0, approver_agent_ids: ['a'] }, null, '.min_approvals'],
  [
    'quorum',
    { min_approvals: 1, approver_agent_ids: ['a'], timeout_seconds: 0 },
    { min_approvals: 1, approver_agent_ids: ['a'], timeout_seconds: 1 },
    '.timeout_seconds',
  ],
  ['form_schema.fields.0', {}, { key: 'k' }, '.key'],
  ['tools.0', {}, { name: 't', type: 'anything' }, '.name'],
  ['artifact_stores.0', {}, { type: 'anything' }, '.type'],
  ['triggers.0.type', 'timer', 'manual', ''],
  ['triggers.0', { config: {} }, { type: 'manual' }, '.type'],
  ['triggers.0', cron(undefined), cron('0 9 * * *'), '.config.cron'],
  ['triggers.0', cron('*/5 * * * *'), cron('5 * * * *'), '.config.cron'],
  ['triggers.0', cron(9), cron('0 9 * * MON-FRI'), '.config.cron'],
  ['triggers.0', webhook({}), webhook({ path: 'a/b/c' }), '.config.path'],
  ['triggers.0', webhook({ path: '' }), webhook({ path: 'x' }), '.config.path'],
  [
    'triggers.0',
    webhook({ path: 'p'.repeat(201) }),
    webhook({ path: 'p'.repeat(200) }),
    '.config.path',
  ],
  ['triggers.0', webhook({ path: 'a\u0000' }), webhook({ path: 'ä b' }), '.config.path'],
  [
    'triggers.0',
    webhook({ path: 'x', secret: 7 }),
    webhook({ path: 'x', secret: 's' }),
    '.config.secret',
  ],
  [
    'triggers.0',
    webhook({ path: 'x', secret: '' }),
    webhook({ path: 'x', secret: null }),
    '.config.secret',
  ],
  [
    'triggers.0',
    { type: 'message', config: { from_agent_id: 1 } },
    { type: 'message', config: { from_agent_id: null } },
    '.config.from_agent_id',
  ],
  [
    'triggers.0',
    { type: 'action', config: { name: [] } },
    { type: 'action', config: { name: 'go' } },
    '.config.name',
  ],
  ['triggers.0', { type: 'event', config: [] }, { type: 'event', config: { any: 1 } }, '.config'],
] as const)('%s may not be %j but may be %j', ([path, wrong, right, below]) => {
  expect(faults(at(path, wrong))).toEqual([`/${(path + below).replaceAll('.', '/')}`])
  expect(faults(at(path, right))).toEqual([])
})

test.for([
  ['approval_gate', { min_approvals: 2 }],
  ['approval_gate', { min_approvals: 3, approvers: ['a', 'b'] }],
  ['approval_gate', { min_approvals: 2, approvers: ['a', 'a'] }],
  ['quorum', { min_approvals: 2, approver_agent_ids: ['a'] }],
  ['quorum', { min_approvals: 2, approver_agent_ids: ['a', 'a'] }],
] as const)('the %s %j asks for more approvals than there can be', ([member, value]) => {
  const issues = TaskInput.safeParse({ name: 'Digest', [member]: value }).error?.issues
  expect(issues).toMatchObject([
    { path: [member, 'min_approvals'], params: { code: 'approval_unreachable' } },
  ])
})

test.for([
  ['approval_gate', { min_approvals: 1 }],
  ['approval_gate', { min_approvals: 2, approvers: ['a', 'b'] }],
  ['quorum', { min_approvals: 2, approver_agent_ids: ['a', 'b'] }],
] as const)('the %s %j can be reached', ([member, value]) => {
  expect(faults({ [member]: value })).toEqual([])
})

test.for([
  [50, []],
  [51, ['/triggers']],
] as const)('a task of %d triggers has the faults %j', ([count, expected]) => {
  const triggers = Array.from({ length: count }, () => ({ type: 'manual' }))
  expect(faults({ triggers })).toEqual(expected)
})

test('unknown members are kept at every level', () => {
  const extra = { x_note: { deep: [1] } }
  const sent = {
    name: 'Digest',
    ...extra,
    triggers: [{ type: 'event', config: { event: 'e', ...extra }, ...extra }],
    tools: [{ name: 't', config: { ...extra }, ...extra }],
    artifact_stores: [{ type: 'local', ...extra }],
    output_sharing: { ...extra },
    social_posting: { ...extra },
    rating_summary: { ...extra },
    form_schema: { ...extra, fields: [{ key: 'k', ...extra }] },
    quorum: { min_approvals: 1, approver_agent_ids: ['a'], ...extra },
    approval_gate: { ...extra },
    reliability: { ...extra, active_window: { ...extra } },
  }
  expect(TaskInput.parse(sent)).toMatchObject(sent)
})

test('a field of a form may not be called __proto__, as no order could fill it in', () => {
  const asks = (key: string) => faults({ form_schema: { fields: [{ key }] } })
  expect(asks('__proto__')).toEqual(['/form_schema/fields/0/key'])
  expect([asks('proto'), asks('constructor')]).toEqual([[], []])
})
