/**
 * What people and language models write on agents, tasks and manifests, and where it belongs, by the id of the
 * schema. Names that differ from a known one by their spelling alone are found without it.
 */
const cures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CharacterInput: ofAgent(),
  AgentAppAgentSpec: ofAgent(),
  HeartSchema: {
    schedule: 'tasks[].triggers',
    cron: 'tasks[].triggers',
    triggers: 'tasks[].triggers',
    interval: 'heartbeat_interval',
    heartbeat: 'heartbeat_interval',
    tz: 'timezone',
  },
  BrainSchema: {
    instructions: 'system_prompt_override',
    prompt: 'system_prompt_override',
    system_prompt: 'system_prompt_override',
    systemPrompt: 'system_prompt_override',
    model: 'llm_model',
    provider: 'llm_provider',
    mcp_servers: 'mcps',
    mcpServers: 'mcps',
    tools: 'mcps',
  },
  TaskDefinition: {
    approval: 'approval_gate',
    approvals: 'approval_gate',
    approve: 'approval_gate.requires_approval',
    approver: 'approval_gate.approvers',
    approvers: 'approval_gate.approvers',
    confirm: 'approval_gate.requires_approval',
    cron: 'triggers',
    handoff: 'output_sharing',
    handoffs: 'output_sharing',
    gate: 'approval_gate',
    id: 'task_id',
    instructions: 'prompt',
    model: 'model_override',
    needs_approval: 'approval_gate.requires_approval',
    next: 'output_sharing',
    requires_approval: 'approval_gate',
    schedule: 'triggers',
    secrets: 'selected_secrets',
    systemPrompt: 'prompt',
    system_prompt: 'prompt',
    timeout: 'step_timeout_seconds',
    timeout_seconds: 'step_timeout_seconds',
    title: 'name',
    trigger: 'triggers',
    type: 'runtime',
    url: 'api_url',
    workflow: 'workflow_entry',
  },
  TaskTrigger: {
    ...inConfig('cron', 'event', 'filter', 'from_agent_id', 'path', 'secret', 'timezone'),
    pattern: 'config.cron',
    schedule: 'config.cron',
    tz: 'config.timezone',
  },
  VisibilitySchema: {
    chat: 'ability_access.chat',
    feed: 'ability_access.feed',
    friends: 'ability_access.friends',
    level: 'profile_visibility',
    memory: 'ability_access.memory',
    profile: 'profile_visibility',
    public: 'profile_visibility',
  },
  TaskTool: inConfig('agent_id', 'bundle', 'headers', 'method', 'task_id', 'url'),
  ControlChannel: inConfig('url'),
  TaskOutputSharing: {
    agent: 'target_agent_id',
    agent_id: 'target_agent_id',
    target: 'target_agent_id',
    task: 'target_task_id',
    task_id: 'target_task_id',
    to: 'target_agent_id',
  },
  ApprovalGateDef: {
    prompt: 'approval_prompt',
    question: 'approval_prompt',
    required: 'requires_approval',
    timeout: 'timeout_seconds',
  },
  AgentAppConnection: { source: 'from', target: 'to', type: 'relationship_type' },
  AgentAppTeamSpec: { members: 'member_local_ids', agents: 'member_local_ids' },
  AppManifest: {
    characters: 'agents',
    edges: 'connections',
    handoffs: 'connections',
    id: 'app_id',
    next: 'connections',
    tasks: 'agents[].heart.tasks',
    teams: 'team',
    title: 'name',
    webhooks: 'webhook',
    workflow: 'connections',
  },
}

/** Where a member belongs that the object has not, if that is known. @param of the id of its schema */
export function cureOf(of: string, name: string): string | undefined {
  const table = cures[of]
  return table && Object.hasOwn(table, name) ? table[name] : undefined
}

/** What is written next to the config that it belongs into. */
function inConfig(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `config.${name}`]))
}

function ofAgent(): Readonly<Record<string, string>> {
  return {
    ability_access: 'visibility.ability_access',
    agent_id: 'id',
    char_id: 'id',
    character_id: 'id',
    cron: 'heart.tasks[].triggers',
    description: 'bio',
    goal: 'role',
    handoffs: 'heart.tasks[].output_sharing',
    instructions: 'brain.system_prompt_override',
    llm: 'brain.llm_model',
    llm_model: 'brain.llm_model',
    mcps: 'brain.mcps',
    mcp_servers: 'brain.mcps',
    mcpServers: 'brain.mcps',
    model: 'brain.llm_model',
    next: 'heart.tasks[].output_sharing',
    profile_visibility: 'visibility.profile_visibility',
    prompt: 'brain.system_prompt_override',
    schedule: 'heart.tasks[].triggers',
    secrets: 'heart.tasks[].selected_secrets',
    systemPrompt: 'brain.system_prompt_override',
    system_prompt: 'brain.system_prompt_override',
    tasks: 'heart.tasks',
    temperature: 'brain.temperature',
    timezone: 'heart.timezone',
    title: 'name',
    triggers: 'heart.tasks[].triggers',
    workflow: 'heart.tasks[].workflow_entry',
  }
}
