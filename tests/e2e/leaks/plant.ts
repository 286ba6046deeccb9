import type { Visitor } from './visitor.ts'

/** Secrets of an agent, by their names there. */
export const shelf = {
  SHELF: 'mk-shelf/4801 "a" +&%',
  OPENAI_API_KEY: 'mk-own-key/4802+bcdefg',
  TOOL: 'mk-tool/4803 "b" ~=',
  BRAIN: 'mk-brain/4804 <c> \\d',
  CHANNEL: 'mk-channel/4805 "e"',
}
export const trigger = 'mk-trigger/4811 "f"'
export const webhook = 'mk-webhook/4812 "g"'
/** Nothing secret: to show that what is looked for would be found. */
export const harmless = 'mk-harmless/4899 "z"'

/** Where those are who blurt out what they are told. */
export interface Outside {
  /** Of a server that answers `/echo`, `/down` and `/sink`. */
  origin: string
  toolServer: string
  modelUrl: string
}

/** Makes agents, tasks and an app with a secret in each place that takes one. */
export async function plant(visitor: Visitor, outside: Outside): Promise<void> {
  const { origin, toolServer, modelUrl } = outside
  const mcps = [{ name: 'leaky', url: toolServer, env: { 'X-Token': '{{secret.TOOL}}' } }]
  const hooks = ['before_run', 'after_run', 'on_error'].flatMap((event) => [
    { event, action: `memory:heard/${event}` },
    { event, action: 'webhook:https://hooks.example/in' },
  ])
  const channel = { url: `${origin}/sink`, secret: '{{secret.CHANNEL}}' }
  const control = { channels: [{ name: 'out', type: 'webhook', config: channel }] }
  const brain = { mcps, hooks, skills: ['memory', 'messaging', 'knowledge'] }
  await visitor.ask('POST', '/api/characters/', { id: 'bea', name: 'Bea', bio: harmless })
  await visitor.ask('POST', '/api/characters/', { id: 'ada', name: 'Ada', brain, control })
  const waits = { llm_provider: 'anthropic', llm_model: 'm', hooks }
  await visitor.ask('POST', '/api/characters/', {
    id: 'cora',
    name: 'Cora',
    brain: waits,
    control,
  })
  for (const char_id of ['ada', 'cora']) {
    await visitor.ask('POST', `/api/characters/${char_id}/friends`, { friend_id: 'bea' })
    const secrets = Object.entries(shelf).map(([name, value]) => ({ name, value }))
    const all = [...secrets, { name: 'OPENAI_BASE_URL', value: modelUrl }]
    await visitor.tool('characters_secrets_update', { char_id, secrets: all })
    await visitor.ask('GET', `/api/characters/${char_id}/secrets`)
  }
  const hook = { type: 'webhook', config: { path: 'in', secret: trigger } }
  const hear = { task_id: 'hear', name: 'Hear', runtime: 'template', prompt: '{{input}}' }
  await visitor.ask('POST', '/api/characters/bea/tasks', {
    ...hear,
    triggers: [{ type: 'message' }],
  })
  const leaking = {
    selected_secrets: [...Object.keys(shelf), 'OPENAI_BASE_URL'],
    memory_namespace: 'kept',
    artifact_stores: [{ type: 'local' }],
    social_posting: { enabled: true, channels: ['out'] },
    output_sharing: {
      enabled: true,
      target_agent_id: 'bea',
      handoff_memory_key: 'handed',
      handoff_artifact: 'output.json',
    },
    tools: [
      {
        name: 'call',
        type: 'http',
        config: {
          url: `${origin}/echo`,
          headers: { 'X-A': '{{secret.SHELF}}', 'X-B': 'Bearer {{secret.TOOL}}' },
        },
      },
    ],
  }
  for (const [task_id, more] of Object.entries({
    echo: { runtime: 'api', api_url: `${origin}/echo`, triggers: [hook] },
    down: { runtime: 'api', api_url: `${origin}/down` },
    sink: { runtime: 'api', api_url: `${origin}/sink` },
    think: { prompt: 'Think.' },
  })) {
    const task = { ...leaking, task_id, name: task_id, ...more }
    await visitor.message('tasks.create', { char_id: 'ada', task })
  }
  const lead = { ...leaking, task_id: 'lead', name: 'Lead', prompt: 'Lead.' }
  await visitor.ask('POST', '/api/characters/cora/tasks', lead)
  const manifest = {
    app_id: 'app',
    name: 'App',
    webhook: { url: `${origin}/sink`, secret: webhook, events: ['run.completed'] },
    agents: [{ local_id: 'a', name: 'A', heart: { tasks: [{ ...hear, triggers: [hook] }] } }],
  }
  await visitor.ask('POST', '/api/agent-apps/validate', {
    ...manifest,
    nonsense: 1,
    agents: [hook],
  })
  await visitor.ask('POST', '/api/agent-apps/', manifest)
  await visitor.ask('PUT', '/api/agent-apps/app', { ...manifest, name: 'Apps' })
  await visitor.ask('POST', '/api/agent-apps/app/plan', manifest)
  await visitor.ask('GET', '/api/agent-apps/app/manifest')
  await visitor.ask('GET', '/api/agent-apps/app')
}
