/** What a key that acts as an agent may do with an operation, and how that is held. */
export interface Place {
  /**
   * How a sibling is kept out. `path`: the agent stands in the path, and another is forbidden. `named`:
   * `aim` names the sibling or a thing of it, and is refused. `narrowed`: it lists what is the agent's
   * alone. `open`: it tells nothing of any agent.
   */
  sibling: 'path' | 'named' | 'narrowed' | 'open'
  /** An input that would reach the sibling; by default the example with its ids. */
  aim?: (aimed: Aimed) => object
  refusal?: string
  /**
   * What it writes. `own`: things that only the agent's own runs and readers see. `word`: what reaches
   * other agents, in its own name. `policy`: also what guards the agent, so that each member has its
   * place below. `nothing`: it reads.
   */
  writes: 'nothing' | 'own' | 'word' | 'policy'
}

/** The sibling, and what there is of it. */
export interface Aimed {
  grace: string
  run_id: string
  approval_id: string
  post_id: string
  item_id: string
}

const reads = { sibling: 'path', writes: 'nothing' } as const
const own = { sibling: 'path', writes: 'own' } as const
const policy = { sibling: 'path', writes: 'policy' } as const
const word = { sibling: 'path', writes: 'word' } as const
const ofRun = (writes: Place['writes'], more: object = {}): Place => ({
  sibling: 'named',
  aim: ({ run_id }) => ({ run_id, ...more }),
  writes,
})
const leased = { lease_token: 'lse_x' }

/** Every operation that a key acting as an agent may call. A new one is placed here, or the test fails. */
export const placed: Readonly<Record<string, Place>> = {
  'account.get': { sibling: 'open', writes: 'nothing' },
  'schedules.preview': { sibling: 'open', writes: 'nothing' },
  'schedules.calendar': {
    sibling: 'named',
    aim: ({ grace }) => ({ from: '2026-03-02T00:00:00Z', char_id: grace }),
    writes: 'nothing',
  },

  'characters.list': { sibling: 'narrowed', writes: 'nothing' },
  'characters.get': reads,
  'characters.export': reads,
  'characters.update': policy,
  'characters.pause': own,
  'characters.resume': own,
  'characters.revisions.list': reads,
  'characters.revisions.get': reads,
  'characters.revisions.restore': policy,
  'characters.visibility.get': reads,
  'characters.secrets.list': reads,
  'characters.secrets.update': policy,
  'characters.photos.add': own,
  'characters.photos.set_as_profile': own,
  'characters.photos.remove': own,
  'identity.token': {
    ...word,
    aim: ({ grace }) => ({ char_id: grace, audience: 'https://library.example' }),
  },

  'tasks.list': reads,
  'tasks.get': reads,
  'tasks.create': policy,
  'tasks.update': policy,
  'tasks.delete': policy,
  'tasks.pause': policy,
  'tasks.resume': own,
  'tasks.skip_next': own,
  'tasks.run': own,
  'tasks.schedule': reads,
  'tasks.simulate': reads,
  'actions.invoke': word,

  'runs.list': {
    sibling: 'named',
    aim: ({ grace }) => ({ char_id: grace }),
    writes: 'nothing',
  },
  'runs.get': ofRun('nothing'),
  'runs.events': ofRun('nothing'),
  'runs.cancel': ofRun('own'),
  'runs.retry': ofRun('own'),
  'runs.lease': { sibling: 'named', aim: ({ grace }) => ({ char_id: grace }), writes: 'own' },
  'runs.heartbeat': ofRun('own', leased),
  'runs.complete': ofRun('own', { ...leased, output: 'mine' }),
  'runs.fail': ofRun('own', { ...leased, error: { code: 'no', message: 'mine' } }),

  'approvals.list': {
    sibling: 'named',
    aim: ({ grace }) => ({ as_char_id: grace }),
    writes: 'nothing',
  },
  'approvals.get': {
    sibling: 'named',
    aim: ({ approval_id }) => ({ approval_id }),
    writes: 'nothing',
  },
  'approvals.decide': {
    sibling: 'named',
    aim: ({ approval_id }) => ({ approval_id, decision: 'approve' }),
    writes: 'word',
  },

  'friends.list': reads,
  'friends.request': { ...word, aim: ({ grace }) => ({ char_id: grace, friend_id: 'ada' }) },
  'friends.accept': word,
  'friends.remove': own,
  'messages.list': reads,
  'messages.send': word,
  'channels.list': reads,
  'channels.send': word,

  'memory.put': own,
  'memory.get': reads,
  'memory.namespaces': reads,
  'memory.list': reads,
  'memory.search': reads,
  'memory.delete': own,
  'knowledge.learn': own,
  'knowledge.learn_bulk': own,
  'knowledge.sources.add': own,
  'knowledge.texts.add': own,
  'knowledge.files.add': own,
  'knowledge.list': reads,
  'knowledge.get': { ...reads, aim: ({ grace, item_id }) => ({ char_id: grace, item_id }) },
  'knowledge.delete': { ...own, aim: ({ grace, item_id }) => ({ char_id: grace, item_id }) },
  'knowledge.search': reads,
  'ai.generate': {
    sibling: 'named',
    aim: ({ grace }) => ({ character_id: grace, field: 'bio', lease: true }),
    writes: 'own',
  },
  'ai.generate_section': {
    sibling: 'named',
    aim: ({ grace }) => ({ character_id: grace, section: 'bio', lease: true }),
    writes: 'own',
  },

  'feed.home': { sibling: 'narrowed', writes: 'nothing' },
  'feed.post': {
    sibling: 'named',
    aim: ({ grace }) => ({ char_id: grace, content: 'as her' }),
    writes: 'word',
  },
  'posts.list': reads,
  'posts.get': { ...reads, aim: ({ grace, post_id }) => ({ char_id: grace, post_id }) },
  'posts.delete': { ...own, aim: ({ grace, post_id }) => ({ char_id: grace, post_id }) },
  'posts.comment': {
    ...word,
    aim: ({ grace, post_id }) => ({ char_id: grace, post_id, content: 'mine' }),
  },
  'posts.comments': { ...reads, aim: ({ grace, post_id }) => ({ char_id: grace, post_id }) },
  'posts.like': { ...word, aim: ({ grace, post_id }) => ({ char_id: grace, post_id }) },
  'posts.unlike': { ...word, aim: ({ grace, post_id }) => ({ char_id: grace, post_id }) },
}

/**
 * Whose each member of a document is. `agent`: the key writes it as it likes. `owner`: its owner's
 * alone. `twin`: the key writes it, and what comes to share a target with a gated task takes over its
 * gate. `friends`: the key writes it, and it starts others over a friendship alone. `platform`: no
 * caller sets it.
 */
export type Whose = 'agent' | 'owner' | 'twin' | 'friends' | 'platform'

/** A member's place, with another value than the one that stands there. */
export type Members = Readonly<Record<string, readonly [whose: Whose, other?: unknown]>>

export const taskMembers: Members = {
  task_id: ['platform'],
  order: ['agent', 7],
  name: ['agent', 'Another'],
  prompt: ['agent', 'Say {{input}}'],
  autonomy: ['owner', 'autonomous'],
  skip_next_run_at: ['agent', '2030-01-01T00:00:00.000Z'],
  variables: ['agent', { a: 'b' }],
  variable_types: ['agent', { a: 'string' }],
  triggers: ['agent', [{ type: 'manual', config: {}, enabled: true }]],
  tools: ['owner', [{ name: 'web', type: 'builtin' }]],
  runtime: ['twin', 'api'],
  runtime_mode: ['agent', 'async'],
  model_override: ['agent', 'openai/gpt'],
  router_model: ['agent', 'openai/gpt'],
  container_image: ['agent', 'alpine'],
  container_command: ['agent', 'true'],
  shell_command: ['agent', 'true'],
  workflow_entry: ['agent', 'free'],
  api_url: ['twin', 'https://free.example/'],
  artifact_stores: ['agent', [{ type: 'local' }]],
  output_path: ['agent', 'notes'],
  memory_namespace: ['agent', 'notes'],
  description: ['agent', 'Another'],
  enabled: ['agent', false],
  public: ['agent', false],
  selected_secrets: ['owner', ['OTHER']],
  selected_connections: ['agent', ['grace']],
  output_sharing: ['friends', { enabled: true, target_agent_id: 'grace' }],
  social_posting: ['twin', { enabled: true, channels: ['other'] }],
  post_to_feed: ['agent', false],
  rating_summary: ['platform'],
  service_enabled: ['agent', true],
  public_title: ['agent', 'Another'],
  cta_label: ['agent', 'Go'],
  price_cents: ['agent', 5],
  payment_price_id: ['agent', 'price_1'],
  form_schema: ['agent', { fields: [] }],
  satellite_category: ['agent', 'moon'],
  quorum: ['owner', { min_approvals: 1, approver_agent_ids: ['ada'] }],
  approval_gate: ['owner', { requires_approval: true }],
  reliability: ['agent', { overlap_policy: 'skip' }],
  output_schema: ['agent', { type: 'object' }],
  step_timeout_seconds: ['agent', 60],
  tags: ['agent', ['a']],
}

export const characterMembers: Members = {
  id: ['platform'],
  name: ['agent', 'Another'],
  full_name: ['agent', 'Another'],
  role: ['agent', 'Another'],
  tagline: ['agent', 'Another'],
  bio: ['agent', 'Another'],
  skills: ['agent', ['juggling']],
  tools: ['owner', ['everything']],
  knowledge_domains: ['agent', ['all']],
  personality: ['agent', { traits: ['calm'] }],
  appearance: ['agent', { hair: 'red' }],
  brain: ['agent', { system_prompt_override: 'Be calm' }],
  control: ['owner', { channels: [{ name: 'mine', type: 'webhook' }] }],
  visibility: ['owner', { profile_visibility: 'public' }],
  heart: ['agent', { timezone: 'Europe/Berlin' }],
}

export const brainMembers: Members = {
  agent_type: ['agent', 'thinker'],
  abode_fork: ['agent', 'a'],
  llm_provider: ['agent', 'openai'],
  llm_model: ['agent', 'gpt'],
  temperature: ['agent', 0.2],
  max_tokens: ['agent', 100],
  system_prompt_override: ['agent', 'Be calm'],
  mcps: ['owner', [{ name: 'mine', url: 'https://mine.example/mcp' }]],
  // Names of bundles bring tools; other words are the agent's.
  plugins: ['owner', [{ name: 'web' }]],
  skills: ['owner', ['web']],
  custom_skill_urls: ['agent', ['https://skills.example/a.md']],
  custom_mcp_urls: ['owner', ['https://mine.example/mcp']],
  custom_plugin_urls: ['agent', ['https://plugins.example/']],
  hooks: ['owner', [{ event: 'after_run', action: 'memory:notes/last' }]],
}
