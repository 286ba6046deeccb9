import { expect } from 'vitest'
import { agent, agentWithTask, given, type Case, type Made, type Stage } from '../case.ts'

/** Each warning as its code, its pointer and what was probably meant. */
function linesOf(list: unknown): string[] {
  return ((list ?? []) as { code: string; pointer: string; suggestion?: string }[]).map(
    ({ code, pointer, suggestion }) => [code, pointer, suggestion].filter(Boolean).join(' '),
  )
}

const gate = { requires_approval: true, approval_prompt: 'Shall I greet {{nme}}?' }
const greeting = {
  task_id: 'greet',
  name: 'Greet',
  prompt: 'Greet {{nme}}, {{nme}} and {{ guest }}.',
  variables: { name: 'Ada' },
}
const uncalled = [
  { name: 'ask', type: 'agent', config: {} },
  {
    name: 'look',
    type: 'agent',
    config: { target_agent_id: '', agent_id: null, target_task_id: 't' },
  },
  { name: 'fetch', type: 'http', config: {} },
  { name: 'off', type: 'agent', enabled: false, config: {} },
]
const toolsTold = [
  'tool_incomplete /tools/0/config/agent_id',
  'tool_incomplete /tools/0/config/task_id',
  'tool_incomplete /tools/1/config/agent_id',
  'tool_incomplete /tools/2/config/url',
]

const manifest = (stage: Stage, more: object, tasks: readonly object[]) => ({
  manifest_version: 1,
  app_id: stage.id('desk'),
  name: 'Desk',
  agents: [{ local_id: 'ada', name: 'Ada', heart: { tasks }, ...more }],
})

/** Warnings about one new task. */
const told = (title: string, task: object, lines: readonly string[]): Case =>
  given({
    op: 'tasks.create',
    title,
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, task: { name: 'T', prompt: 'Do.', ...task } }),
    answer: ({ warnings }) => expect(linesOf(warnings)).toEqual(lines),
  })

/** What is written of a task and could not work when it runs. */
export const unfinished: readonly Case[] = [
  told(
    'a name in a prompt that looks like a misspelled variable is told, once for each text',
    { ...greeting, approval_gate: gate, runtime: 'api', api_url: 'https://x.example/{{nmae}}' },
    [
      'unknown_variable /prompt name',
      'unknown_variable /api_url name',
      'unknown_variable /approval_gate/approval_prompt name',
      'approves_itself /approval_gate/approvers',
    ],
  ),
  told('so is what looks like the input', { prompt: 'Sum up {{inptu}}.' }, [
    'unknown_variable /prompt input',
  ]),
  told(
    'a name that only the input or a call can give is not told',
    {
      prompt: '{{topic}} {{input.nme}} {{lang}}',
      variables: { name: 'x' },
      variable_types: { lang: 'string' },
    },
    [],
  ),
  told(
    'placeholders of texts that are passed on as they are, are told',
    { output_sharing: { enabled: true, target_agent_id: '', message_prefix: 'For {{name}}: ' } },
    [
      'nothing_filled_in /output_sharing/message_prefix',
      'share_target_missing /output_sharing/target_agent_id',
    ],
  ),
  told('a task without a prompt is told', { prompt: '' }, ['prompt_missing /prompt']),
  told(
    'members that nothing acts on are told',
    { runtime_mode: 'async', satellite_category: 'news' },
    ['no_effect /runtime_mode', 'no_effect /satellite_category'],
  ),
  told(
    'members that another runtime acts on are told',
    {
      runtime: 'template',
      router_model: 'm',
      api_url: 'https://x.example/',
      shell_command: 'ls',
      container_image: 'i',
      container_command: 'ls',
      workflow_entry: 't',
      quorum: { min_approvals: 1, approver_agent_ids: ['ada'] },
    },
    [
      'no_effect /api_url',
      'no_effect /container_command',
      'no_effect /container_image',
      'no_effect /quorum',
      'no_effect /router_model',
      'no_effect /shell_command',
      'no_effect /workflow_entry',
      'unknown_agent /quorum/approver_agent_ids/0',
    ],
  ),
  told(
    'what only a runtime that is not known here could act on is not told',
    { runtime: 'lambda', api_url: 'https://x.example/' },
    ['unknown_value /runtime'],
  ),
  told(
    'a tool of a tool server that the agent does not have is told',
    {
      tools: [
        { name: 'search' },
        { name: 'there', config: { url: 'https://x.example/mcp' } },
        { name: 'off', enabled: false },
      ],
    },
    ['tool_incomplete /tools/0/config/url'],
  ),
  given({
    op: 'characters.create',
    title:
      'a tool server and a channel without an address are told, and tools of a named server are not',
    as: 'owner',
    input: () => ({
      character: {
        name: 'Ada',
        brain: { mcps: [{ name: 'search' }, { name: 'off', enabled: false }] },
        control: {
          channels: [
            { name: 'a', type: 'webhook', config: {} },
            { name: 'b', type: 'webhook', enabled: false },
          ],
        },
        heart: { tasks: [{ name: 'T', prompt: 'Do.', tools: [{ name: 'search' }] }] },
      },
    }),
    answer: async ({ id, warnings }, _given, stage) => {
      expect(linesOf(warnings)).toEqual([
        'tool_incomplete /brain/mcps/0/url',
        'not_deliverable /control/channels/0/config/url',
      ])
      const again = await stage.ask('characters.update', { char_id: id, character: { bio: 'x' } })
      expect(again).not.toHaveProperty('warnings')
    },
  }),
  given({
    op: 'tasks.update',
    title: 'what another runtime acts on is told again where the runtime is changed',
    as: 'owner',
    given: (stage) => agentWithTask(stage, { runtime: 'api', api_url: 'https://x.example/' }),
    input: ({ char_id, task_id }) => ({ char_id, task_id, task: { runtime: 'template' } }),
    answer: async ({ warnings }, { char_id, task_id }, stage) => {
      expect(linesOf(warnings)).toEqual(['no_effect /api_url'])
      const again = await stage.ask('tasks.update', { char_id, task_id, task: { tags: ['x'] } })
      expect(again).not.toHaveProperty('warnings')
    },
  }),
  told('a tool that does not say what it calls is told', { tools: uncalled }, toolsTold),
  told(
    'a tool of a task that calls one address is its headers, and told of nothing',
    {
      runtime: 'api',
      api_url: 'https://x.example/in',
      tools: [{ name: 'h', type: 'http', config: { headers: { 'X-Topic': 'news' } } }],
    },
    [],
  ),
  ...(['workflow', 'router'] as const).map((runtime) =>
    told(`a ${runtime} without another task is told`, { runtime }, ['runtime_incomplete /runtime']),
  ),
  given({
    op: 'tasks.create',
    title: 'a workflow whose agent has only tasks that it may not start is told',
    as: 'owner',
    given: async (stage) => {
      const { char_id } = await agentWithTask(stage, { enabled: false })
      await stage.ask('tasks.create', {
        char_id,
        task: { name: 'M', prompt: 'x', autonomy: 'manual' },
      })
      return char_id
    },
    input: (char_id) => ({ char_id, task: { name: 'All', runtime: 'workflow' } }),
    answer: ({ warnings }) => expect(linesOf(warnings)).toEqual(['runtime_incomplete /runtime']),
  }),
  given({
    op: 'tasks.create',
    title: 'a workflow with a step is told of nothing',
    as: 'owner',
    given: async (stage) => (await agentWithTask(stage)).char_id,
    input: (char_id) => ({ char_id, task: { name: 'All', runtime: 'workflow' } }),
    answer: (answer) => expect(answer).not.toHaveProperty('warnings'),
  }),
  given({
    op: 'tasks.update',
    title: 'what was misspelled before is told again only where it is written again',
    as: 'owner',
    given: (stage) => agentWithTask(stage, { ...greeting, task_id: 'digest' }),
    input: ({ char_id, task_id }) => ({ char_id, task_id, task: { tags: ['x'] } }),
    answer: async (answer, { char_id, task_id }, stage) => {
      expect(answer).not.toHaveProperty('warnings')
      const task = { variables: { nam: 'x' } }
      const again: Made = await stage.ask('tasks.update', { char_id, task_id, task })
      expect(linesOf(again.warnings)).toEqual(['unknown_variable /prompt name'])
    },
  }),
  given({
    op: 'agent_apps.validate',
    title: 'the same is told of a manifest, and of an agent that no text is filled in for',
    as: 'owner',
    input: (_, stage) => ({
      manifest: manifest(stage, { brain: { system_prompt_override: 'You are {{name}}.' } }, [
        { ...greeting, tools: uncalled },
        { task_id: 'all', name: 'All', runtime: 'workflow', enabled: false },
      ]),
    }),
    answer: ({ findings }) =>
      expect(linesOf(findings)).toEqual([
        'nothing_filled_in /agents/0/brain/system_prompt_override',
        ...toolsTold.map((line) => line.replace('/', '/agents/0/heart/tasks/0/')),
        'unknown_variable /agents/0/heart/tasks/0/prompt name',
      ]),
  }),
  given({
    op: 'agent_apps.validate',
    title: 'a router of a manifest without another task is told',
    as: 'owner',
    input: (_, stage) => ({
      manifest: manifest(stage, {}, [{ name: 'All', runtime: 'router' }]),
    }),
    answer: ({ findings }) =>
      expect(linesOf(findings)).toEqual(['runtime_incomplete /agents/0/heart/tasks/0/runtime']),
  }),
  given({
    op: 'tasks.run',
    title: 'a run whose question cannot be filled in names the variable and the member',
    as: 'owner',
    given: (stage) => agentWithTask(stage, { approval_gate: gate }),
    input: (subject) => ({ ...subject, wait_seconds: 60 }),
    answer: (answer) =>
      expect(answer).toMatchObject({
        status: 'failed',
        error: {
          code: 'variable_missing',
          message: 'approval_gate.approval_prompt needs {{nme}}, and nothing gives it.',
        },
      }),
  }),
]
