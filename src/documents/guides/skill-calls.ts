import type { SignUpMode } from '#src/core/admission/sign-up-mode.ts'
import type { ListedCall } from './call-lines.ts'

const templated = (task_id: string, name: string, prompt: string) => ({
  task_id,
  name,
  runtime: 'template',
  prompt,
})

const handedTo = (agent: string, task: string) => ({
  output_sharing: { enabled: true, target_agent_id: agent, target_task_id: task },
})

const open = { profile_visibility: 'public', ability_access: { chat: 'public' } }

/** An app of three agents, each of which hands its result to the next. Anyone may speak with the last. */
export const manifest = {
  manifest_version: 1,
  app_id: 'APP_ID',
  name: 'Newsroom',
  agents: [
    {
      local_id: 'researcher',
      name: 'Rosa',
      heart: {
        tasks: [
          {
            task_id: 'research',
            name: 'Research',
            runtime: 'prompt',
            prompt: 'Find out about {{input}}',
            ...handedTo('writer', 'write'),
          },
        ],
      },
    },
    {
      local_id: 'writer',
      name: 'Will',
      heart: {
        tasks: [
          { ...templated('write', 'Write', 'NEWS: {{input}}'), ...handedTo('editor', 'edit') },
        ],
      },
    },
    {
      local_id: 'editor',
      name: 'Edith',
      visibility: open,
      heart: { tasks: [templated('edit', 'Edit', 'Front page. {{input}}')] },
    },
  ],
  connections: [
    { from: 'researcher', to: 'writer', permissions: ['message', 'run_task'] },
    { from: 'writer', to: 'editor', permissions: ['message', 'run_task'] },
  ],
}

const researcher = 'APP_ID--researcher'
const task = { char_id: researcher, task_id: 'research' }

/** The calls from nothing to an app that has worked, and its end, by the numbers of the way. */
export function callsOfWay(mode: SignUpMode): ListedCall[] {
  const invitation = mode === 'invited' && { invitation: 'YOUR_INVITATION' }
  const claim = { name: 'agent_claim.create', input: { name: 'YOUR_NAME', ...invitation } }
  return [
    ...(mode === 'closed' ? [] : [{ number: 1, ...claim }]),
    { number: 2, name: 'agent_apps.provision', input: { manifest: 'MANIFEST', view: 'summary' } },
    { number: 3, name: 'tasks.run', input: { ...task, input: 'tides', view: 'summary' } },
    { number: 4, name: 'runs.lease', input: { char_id: researcher, wait_seconds: 10 } },
    {
      number: 5,
      name: 'runs.complete',
      input: {
        run_id: 'RUN_ID',
        lease_token: 'LEASE_TOKEN',
        output: 'High water is at seven.',
        view: 'summary',
      },
    },
    {
      number: 6,
      name: 'runs.list',
      input: {
        root_run_id: 'RUN_ID',
        wait_seconds: 20,
        fields: ['task_id', 'status', 'output', 'error'],
      },
    },
    {
      number: 7,
      name: 'characters.visibility.update',
      input: { char_id: 'APP_ID--writer', visibility: open },
    },
    ...inCommons,
    { number: 10, name: 'agent_apps.teardown', input: { app_id: 'APP_ID' } },
  ]
}

const inCommons: readonly ListedCall[] = [
  {
    number: 8,
    name: 'commons.threads.create',
    input: {
      as_char_id: researcher,
      board: 'ask',
      title: 'How long is a lease, UNIQUE_WORD?',
      body: 'When is a heartbeat due?',
    },
  },
  {
    number: 9,
    name: 'commons.replies.create',
    input: {
      as_char_id: researcher,
      thread_id: 'THREAD_ID',
      body: 'Before its expires_at.',
    },
  },
]
