import { given, typo, type Facts, type Sloppy, type Who } from './row.ts'

const noFacts = (): object => ({})
const ofTask = ({ char_id, task_id }: Facts): object => ({ char_id, task_id })
const ofAgent = ({ char_id }: Facts): object => ({ char_id })

/** A name that no operation has, as a tool and as a method. */
function named(
  name: string,
  leads: string,
  means: (facts: Facts) => object = noFacts,
  as: Who = 'owner',
): Sloppy {
  return { title: name, as, at: { mcp: name, a2a: name }, input: means, leads, means }
}

/** A request for an address at which nothing is, or not with this method. */
function at(
  line: string,
  leads: string,
  means: (facts: Facts) => object = noFacts,
  as: Who = 'owner',
): Sloppy {
  return { title: line, as, at: { rest: line }, leads, means }
}

/** An object in an object, and so on. */
function nested(levels: number): object {
  return levels === 0 ? {} : { in: nested(levels - 1) }
}

const question = {
  board: 'general',
  title: 'How do agents share what they have learned?',
  body: 'By a file, or by a message, or not at all?',
}
const reply = { body: 'By a message to each of them, so that the sender is known.' }
const ofThread = ({ thread_id }: Facts): object => ({ thread_id, ...reply })

const names: readonly Sloppy[] = [
  named('run_task', 'tasks.run', ofTask),
  named('execute_task', 'tasks.run', ofTask),
  named('tasks_runn', 'tasks.run', ofTask),
  named('list_agents', 'characters.list'),
  named('getAgent', 'characters.get', ofAgent),
  named('create_agent', 'characters.create', () => ({ character: { name: 'Grace' } })),
  named('claim_next', 'runs.lease'),
  named('whoami', 'account.get'),
  named('list_runs', 'runs.list'),
  named('get_run_result', 'runs.get', ({ run_id }) => ({ run_id })),
  named('pause_job', 'tasks.pause', ofTask),
  named('remember', 'memory.put', ({ char_id }) => ({
    char_id,
    namespace: 'notes',
    key: 'a',
    value: 1,
  })),
  named('send_message', 'messages.send', ({ char_id, friend_id }) => ({
    char_id,
    to: friend_id,
    body: 'Hello',
  })),
  named('make_api_key', 'api_keys.create', () => ({ name: 'Other' })),
  named('find_tools', 'operations.search', () => ({ q: 'run a task' })),
  named('set_visibility', 'characters.visibility.update', ({ char_id }) => ({
    char_id,
    visibility: {},
  })),
  named('deploy_app', 'agent_apps.provision', ({ manifest }) => ({
    manifest: { ...manifest, app_id: `${manifest.app_id}-2` },
  })),
  named('post_question', 'commons.threads.create', () => question, 'member'),
  named('reply_to_thread', 'commons.replies.create', ofThread, 'member'),
  named('create_post', 'feed.post', ({ char_id }) => ({ char_id, content: 'Hello' })),
  named('make_public', 'characters.visibility.update', ({ char_id }) => ({
    char_id,
    visibility: { profile_visibility: 'public' },
  })),
  named('ask', 'commons.consult.ask', () => ({ question: question.title })),
  named('chat', 'messages.send', ({ char_id, friend_id }) => ({
    char_id,
    to: friend_id,
    body: 'Hello',
  })),
  named('register', 'agent_claim.create', noFacts, 'anonymous'),
  named('get_key', 'agent_claim.create', noFacts, 'anonymous'),
  named('get_status', 'runs.get', ({ run_id }) => ({ run_id })),
  named('wait_for_run', 'runs.get', ({ run_id }) => ({ run_id })),
  named('add_document', 'knowledge.texts.add', ({ char_id }) => ({
    char_id,
    title: 'Ants',
    content: 'Ants carry more than they weigh.',
  })),
  named('search_docs', 'knowledge.search', ({ char_id }) => ({ char_id, q: 'bees' })),
  named('set_variable', 'characters.secrets.update', ({ char_id }) => ({
    char_id,
    secrets: [{ name: 'NAME', value: 'value' }],
  })),
  named('set_schedule', 'tasks.update', (facts) => ({
    ...ofTask(facts),
    task: { name: 'Digest' },
  })),
  named('enable_task', 'tasks.resume', ofTask),
  named('check_quota', 'account.get'),
  named('read_inbox', 'account.inbox'),
  named('list_tools', 'operations.search'),
  named('ping', 'health.get'),
  named('frobnicate', 'operations.search'),
]

const addresses: readonly Sloppy[] = [
  at('POST /api/agents', 'characters.create', () => ({ character: { name: 'Grace' } })),
  at('GET /api/agents', 'characters.list'),
  at('GET /api/agents/ADA', 'characters.get', undefined),
  at('POST /api/agents/ADA/tasks/TASK/execute', 'tasks.run'),
  at('POST /api/runs/claim', 'runs.lease'),
  at('POST /api/runs/RUN/lease', 'runs.lease'),
  at('GET /api/v1/characters', 'characters.list'),
  at('GET /characters', 'characters.list'),
  at('GET /api/charcters/ADA', 'characters.get', ofAgent),
  at('GET /api/characters/ADA/task', 'tasks.list', ofAgent),
  at('POST /api/apps', 'agent_apps.provision', ({ manifest }) => ({
    manifest: { ...manifest, app_id: `${manifest.app_id}-3` },
  })),
  at('GET /api/me', 'account.get'),
  at('GET /api/status', 'health.get'),
  at('POST /api/characters/ADA/run', 'tasks.run', ofTask),
  at('POST /api/knowledge', 'knowledge.texts.add', ({ char_id }) => ({
    char_id,
    title: 'Wasps',
    content: 'Wasps make paper.',
  })),
  at('POST /api/messages', 'messages.send', ({ char_id, friend_id }) => ({
    char_id,
    to: friend_id,
    body: 'Hello',
  })),
  at('POST /api/characters/ADA/schedule', 'tasks.update', (facts) => ({
    ...ofTask(facts),
    task: { name: 'Digest' },
  })),
  at('POST /api/keys', 'api_keys.create', () => ({ name: 'Other' })),
  at('GET /api/tools', 'operations.search'),
  at('POST /api/characters/ADA/tasks/TASK/lease', 'runs.lease'),
  at('POST /api/runs', 'tasks.run', ofTask),
  at('POST /api/characters/ADA/memory/search', 'memory.search', () => ({ q: 'Hello' })),
  at('GET /api/characters/ADA/memory/search', 'memory.search', () => ({ q: 'Hello' })),
  at('POST /api/register', 'agent_claim.create'),
  at('POST /api/signup', 'agent_claim.create'),
  at('POST /api/commons/replies', 'commons.replies.create', ofThread, 'member'),
  at('POST /api/commons/questions', 'commons.threads.create', () => question, 'member'),
  at('PATCH /api/characters/ADA', 'characters.update', () => ({
    character: { tagline: 'Sums up' },
  })),
  at('GET /api/characters/ADA/tasks/TASK/run', 'tasks.run'),
  at('POST /api/characters/ADA/visibility', 'characters.visibility.update', () => ({
    visibility: {},
  })),
  at('PUT /api/runs/lease', 'runs.lease'),
]

const inputs: readonly Sloppy[] = [
  given('tasks.list', 'with agent_id', ({ char_id }) => ({ agent_id: char_id }), {
    at: { mcp: 'tasks_list', a2a: 'tasks.list' },
  }),
  given(
    'tasks.get',
    'with charId and taskId',
    ({ char_id, task_id }) => ({ charId: char_id, taskId: task_id }),
    { at: { mcp: 'tasks_get', a2a: 'tasks.get' } },
  ),
  given('tasks.run', 'with prompt for input', (facts) => ({ ...ofTask(facts), prompt: 'a text' })),
  given(
    'tasks.run',
    'with a number as a text',
    (facts) => ({ ...ofTask(facts), wait_seconds: '0' }),
    { means: ofTask },
  ),
  given('runs.get', 'with id', ({ run_id }) => ({ id: run_id }), {
    at: { mcp: 'runs_get', a2a: 'runs.get' },
  }),
  given('runs.get', 'with a slip in the id', ({ run_id }) => ({ run_id: typo(run_id) }), {
    told: ({ run_id }) => ({ run_id }),
  }),
  given('runs.list', 'with a status that there is not', () => ({ status: 'finished' }), {
    means: noFacts,
  }),
  given('runs.list', 'with agent', ({ char_id }) => ({ agent_id: char_id })),
  given('characters.get', 'with a slip in the id', ({ char_id }) => ({ char_id: typo(char_id) }), {
    told: ofAgent,
  }),
  given(
    'characters.get',
    'with an id of nothing',
    () => ({ char_id: 'zzzzzzzzzzzzzzzzzzzzzzzzzzzz' }),
    { leads: 'characters.list' },
  ),
  given('tasks.run', 'with a slip in the task', ({ char_id }) => ({ char_id, task_id: 'digst' }), {
    leads: 'tasks.get',
    told: ofTask,
  }),
  given('tasks.get', 'of nothing', ({ char_id }) => ({ char_id, task_id: 'zzzzzzzzzzzz' }), {
    leads: 'tasks.list',
    told: ofAgent,
  }),
  given('agent_apps.get', 'with a slip in the id', ({ app_id }) => ({ app_id: typo(app_id) }), {
    told: ({ app_id }) => ({ app_id }),
  }),
  given(
    'characters.create',
    'of what is there',
    ({ char_id }) => ({ character: { id: char_id, name: 'Ada' } }),
    { leads: 'characters.update', told: ofAgent, means: () => ({ character: { name: 'Ada' } }) },
  ),
  given('agent_apps.provision', 'of what is there', ({ manifest }) => ({ manifest }), {
    leads: 'agent_apps.update',
    told: ({ app_id }) => ({ app_id }),
    means: ({ manifest }) => ({ manifest }),
  }),
  given(
    'tasks.create',
    'of what is there',
    ({ char_id, task_id }) => ({ char_id, task: { task_id, name: 'Digest', prompt: 'x' } }),
    { leads: 'tasks.update', told: ofTask, means: () => ({ task: { name: 'Digest' } }) },
  ),
  given('characters.create', 'flat', () => ({ name: 'Grace' }), {
    at: { mcp: 'characters_create', a2a: 'characters.create' },
    means: () => ({ character: { name: 'Grace' } }),
  }),
  given('characters.create', 'in a wrapper', () => ({ character: { name: 'Grace' } }), {
    at: { rest: 'POST /api/characters/' },
    body: () => ({ character: { name: 'Grace' } }),
    means: () => ({ character: { name: 'Grace' } }),
  }),
  given(
    'agent_apps.validate',
    'of a text',
    ({ manifest }) => ({ manifest: JSON.stringify(manifest) }),
    { means: ({ manifest }) => ({ manifest }) },
  ),
  given('messages.send', 'with recipient and message', ({ char_id, friend_id }) => ({
    char_id,
    recipient: friend_id,
    message: 'Hello',
  })),
  given('runs.heartbeat', 'with token', ({ leased: { run_id, lease_token } }) => ({
    run_id,
    token: lease_token,
  })),
  given('runs.complete', 'with result', ({ leased }) => ({ ...leased, result: 'done' })),
  given('tasks.run', 'with task', ({ char_id, task_id }) => ({ char_id, task: task_id }), {
    at: { mcp: 'tasks_run', a2a: 'tasks.run' },
  }),
  given('tasks.run', 'with wait', (facts) => ({ ...ofTask(facts), wait: 0 }), { means: ofTask }),
  given('api_keys.create', 'with char_id', ({ char_id }) => ({ name: 'Other', char_id })),
  given(
    'characters.create',
    'with an id that belongs to an app',
    ({ app_id }) => ({ character: { id: `${app_id}--mine`, name: 'Mine' } }),
    { means: () => ({ character: { name: 'Mine' } }), says: () => 'without "--"' },
  ),
  given(
    'characters.create',
    'nested without end',
    () => ({ character: { name: 'Deep', metadata: nested(40) } }),
    { means: () => ({ character: { name: 'Deep' } }), says: () => 'at most 32 levels' },
  ),
  given(
    'characters.create',
    'with a member named as the prototype',
    () => ({ character: JSON.parse('{"name":"Proto","__proto__":{}}') as object }),
    { means: () => ({ character: { name: 'Proto' } }), says: () => 'another name' },
  ),
  given('operations.get', 'with tool', () => ({ tool: 'tasks_run' }), {
    at: { mcp: 'operations_get', a2a: 'operations.get' },
  }),
  given(
    'tasks.run',
    'with agent_name and task_name',
    ({ char_id, task_id }) => ({ agent_name: char_id, task_name: task_id }),
    { at: { mcp: 'tasks_run', a2a: 'tasks.run' } },
  ),
  given('api_keys.create', 'with label', () => ({ label: 'Other' })),
  given('operations.search', 'with query', () => ({ query: 'run a task' })),
  given('commons.search.query', 'with query', () => ({ query: 'agents' }), { as: 'anonymous' }),
  given(
    'commons.replies.create',
    'with content',
    ({ thread_id }) => ({ thread_id, content: `${reply.body} Really.` }),
    { as: 'member' },
  ),
  given('friends.request', 'with friend', ({ char_id, friend_id }) => ({
    char_id,
    friend: friend_id,
  })),
  given('friends.request', 'with to', ({ char_id, typesetter }) => ({ char_id, to: typesetter })),
  given('schedules.preview', 'with schedule', () => ({ schedule: '0 9 * * *' }), {
    means: () => ({ pattern: '0 9 * * *' }),
  }),
]

const credentials: readonly Sloppy[] = [
  given('account.get', 'without a key', noFacts, { as: 'anonymous', leads: 'agent_claim.create' }),
  given('account.get', 'with the key in X-API-Key', noFacts, { as: 'header' }),
  given('account.get', 'with the key in the query', noFacts, { as: 'query' }),
  {
    title: 'what may be open to everybody, with the key in the query',
    as: 'query',
    at: { rest: 'GET /api/characters/ADA/memory/readers' },
    leads: 'memory.list',
    means: (facts) => ({ ...ofAgent(facts), namespace: 'readers' }),
  },
  given('account.get', 'with the key among the arguments', noFacts, {
    as: 'argument',
    at: { mcp: 'account_get', a2a: 'account.get' },
  }),
  given(
    'api_keys.create',
    'with the key in the body',
    ({ key }) => ({ name: 'Other', api_key: key }),
    {
      as: 'anonymous',
      at: { rest: 'POST /api/api-keys/' },
      body: ({ key }) => ({ name: 'Other', api_key: key }),
      says: () => 'came as the member "api_key" of the input',
    },
  ),
  given('account.get', 'with another scheme', noFacts, { as: 'scheme' }),
  given('account.get', 'with the key as the name of basic authorization', noFacts, {
    as: 'basic',
    says: () => 'Bearer ab_',
  }),
  given('commons.me.get', 'with a token among the arguments', () => ({ token: 'cmn_x' }), {
    as: 'anonymous',
    at: { mcp: 'commons_me_get', a2a: 'commons.me.get' },
    says: () => 'Bearer cmn_',
    means: noFacts,
  }),
  given('characters.get', 'by a key whose agent is gone', ({ char_id }) => ({ char_id }), {
    as: 'orphaned',
    leads: 'api_keys.create',
    means: () => ({ name: 'Again' }),
  }),
  given(
    'characters.get',
    'of another agent by a scoped key',
    ({ friend_id }) => ({ char_id: friend_id }),
    { as: 'scoped', told: ofAgent },
  ),
  given('commons.me.get', 'without a handle', noFacts, {
    as: 'anonymous',
    leads: 'commons.challenge.get',
  }),
]

/** The calls, as they were seen of language models. */
export const table: readonly Sloppy[] = [...names, ...addresses, ...inputs, ...credentials]
