import { describe, expect, test } from 'vitest'
import { manifest, type Calls } from '#tests/support/served/calls.ts'
import { served } from '#tests/support/served/served.ts'

const here = served()

const post: Calls['post'] = (...sent) => here.calls.post(...sent)
const rest: Calls['rest'] = (...sent) => here.calls.rest(...sent)
const mcp: Calls['mcp'] = (...sent) => here.calls.mcp(...sent)
const a2a: Calls['a2a'] = (...sent) => here.calls.a2a(...sent)

const tooLong = `{"a":"${'x'.repeat(1_100_000)}"}`

test('of an agent with thousands of texts for numbers each is read', async () => {
  const days = Array.from({ length: 40 }, (_, i) => String(i % 7))
  const tasks = Array.from({ length: 200 }, (_, i) => ({
    name: `T${i}`,
    prompt: 'x',
    reliability: { active_window: { days } },
  }))
  const made = await rest('POST', '/api/characters/', { id: 'r-many', name: 'A', heart: { tasks } })
  expect(made.status).toBe(201)
  expect(made.understood).toMatch(/;as=more;count=7980$/)
})

describe('over REST', () => {
  test('a wrapped document is unwrapped, with what stands next to it', async () => {
    const made = await rest('POST', '/api/characters/', { character: { id: 'r1', name: 'Ada' } })
    expect(made).toMatchObject({ status: 201, understood: '"";as=document', body: { id: 'r1' } })
    expect(made.body['warnings']).toMatchObject([{ code: 'understood', pointer: '' }])
    const tried = await rest('POST', '/api/agent-apps/', {
      manifest: manifest('r-app'),
      dry_run: 'true',
    })
    expect(tried).toMatchObject({
      status: 200,
      understood: '"";as=document, "/dry_run";as=boolean',
    })
    const again = await rest('PUT', '/api/characters/r1', {
      char_id: 'r1',
      character: { bio: 'x' },
    })
    expect(again).toMatchObject({ status: 200, body: { bio: 'x' } })
  })

  test.for([
    ['members of both', { character: { bio: 'x' }, role: 'y' }],
    ['another agent next to it', { character: { bio: 'x' }, char_id: 'r2' }],
  ] as const)('%s are refused: it could be read in two ways', async ([, body]) => {
    await rest('POST', '/api/characters/', { id: 'r3', name: 'Ada' })
    const refused = await rest('PUT', '/api/characters/r3', body)
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 'ambiguous' }] } })
  })

  test('a member that is called like the document and is none stays a member', async () => {
    const made = await rest('POST', '/api/characters/', { name: 'Ada', character: 'brave' })
    expect(made).toMatchObject({ status: 201, understood: null, body: { character: 'brave' } })
  })

  test('texts are read as what the schema wants, at any depth, in new and in changed documents', async () => {
    const made = await rest('POST', '/api/characters/', {
      id: 'r4',
      name: 'Ada',
      heart: { tasks: '[{"task_id": "t", "name": "T", "prompt": "x", "order": "3"}]' },
    })
    expect(made.understood).toBe('"/heart/tasks";as=array, "/heart/tasks/0/order";as=number')
    expect(made.body).toMatchObject({ heart: { tasks: [{ task_id: 't', order: 3 }] } })
    const changed = await rest('PUT', '/api/characters/r4/tasks/t', {
      enabled: 'false',
      step_timeout_seconds: '30',
    })
    expect(changed.body).toMatchObject({ enabled: false, step_timeout_seconds: 30 })
    expect(changed.body['warnings']).toMatchObject([
      { code: 'understood', pointer: '/enabled' },
      { code: 'understood', pointer: '/step_timeout_seconds' },
    ])
  })

  test('a manifest that is a text of JSON is read, wrapped or as the whole body', async () => {
    const text = JSON.stringify(manifest('r-text'))
    const whole = await rest('POST', '/api/agent-apps/validate', JSON.stringify(text))
    expect(whole).toMatchObject({ understood: '"";as=object', body: { valid: true } })
    const inside = await rest('POST', '/api/agent-apps/', { manifest: text })
    expect(inside).toMatchObject({ status: 201, body: { app: { id: 'r-text' } } })
    expect(inside.understood).toBe('"";as=document, "";as=object')
  })

  test.for([
    ['nested too deep', `{"app_id": ${'['.repeat(40)}${']'.repeat(40)}}`, 'too_deep'],
    ['with a forbidden name', '{"app_id": "x", "__proto__": {}}', 'bad_json'],
    ['that is no JSON', '{"app_id": x}', 'invalid_input'],
  ] as const)('a manifest as a text %s is refused', async ([, text, code]) => {
    const refused = await rest('POST', '/api/agent-apps/validate', { manifest: text })
    expect(refused.body).toMatchObject({ code })
  })

  test('a text of more than is read at once is refused, and what to send is said', async () => {
    const refused = await rest('POST', '/api/agent-apps/validate', { manifest: tooLong })
    expect(refused.body).toMatchObject({
      code: 'invalid_input',
      errors: [{ code: 'too_long' }],
      hint: expect.stringContaining('Send the list or the object itself'),
    })
  })
})

test.for(['modern', 'legacy'] as const)(
  'over MCP (%s) a flat document is understood',
  async (era) => {
    const id = `m-${era}`
    const made = await mcp('characters_create', { id, name: 'Ada', role: 'Reader' }, era)
    expect(made).toMatchObject({
      isError: false,
      meta: [{ pointer: '/character', as: 'document' }],
      result: { structuredContent: { id, warnings: [{ code: 'understood' }] } },
    })
    const flat = { char_id: id, task_id: 't', name: 'T', prompt: 'x', order: '2' }
    expect(await mcp('tasks_create', flat, era)).toMatchObject({
      meta: [
        { pointer: '/task', as: 'document' },
        { pointer: '/task/order', as: 'number' },
      ],
      result: { structuredContent: { task_id: 't', order: 2 } },
    })
    const listed = await mcp('tasks_list', { char_id: id, limit: '1' }, era)
    expect(listed).toMatchObject({ meta: [{ pointer: '/limit', as: 'number' }] })
    const both = await mcp('characters_create', { character: { name: 'Ada' }, name: 'Bob' }, era)
    expect(both.isError).toBe(true)
    const right = await mcp('tasks_list', { char_id: id, limit: 1 }, era)
    expect(right).toMatchObject({ isError: false, meta: undefined })
  },
)

test('over A2A flat documents and texts are understood, and a header says so', async () => {
  const made = await a2a('characters.create', { id: 'a1', name: 'Ada' })
  expect(made).toMatchObject({ understood: '"/character";as=document', result: { id: 'a1' } })
  const app = await a2a('agent_apps.provision', { ...manifest('a-app'), dry_run: 'true' })
  expect(app.understood).toBe('"/manifest";as=document, "/dry_run";as=boolean')
  expect(app.result).toMatchObject({ warnings: [{ code: 'understood' }, { code: 'understood' }] })
  const update = await a2a('agent_apps.validate', { manifest: JSON.stringify(manifest('a-b')) })
  expect(update).toMatchObject({ understood: '"/manifest";as=object', result: { valid: true } })
  const data = { operation: 'characters.get', params: JSON.stringify({ char_id: 'a1' }) }
  const parts = [{ kind: 'data', data }]
  const said = { kind: 'message', messageId: 'lenient', role: 'user', parts }
  const task = await a2a('message/send', { message: said })
  expect(task).toMatchObject({
    understood: '"/params";as=object',
    result: { artifacts: [{ parts: [{ data: { id: 'a1' } }] }] },
  })
  const twice = JSON.stringify(JSON.stringify(manifest('a-c')))
  const quoted = await a2a('agent_apps.validate', { manifest: twice })
  expect(quoted.error?.data.code).toBe('invalid_input')
})

test.for(['020', '+20', '2e1', '0x14', ' 20', '20 ', '20.5', '', 'twenty', '9007199254740993'])(
  'the text %j is no integer',
  async (limit) => {
    const refused = await a2a('runs.list', { limit })
    expect(refused.error?.data.code).toBe('invalid_input')
  },
)

test('a long text is no integer, however long it is', async () => {
  const refused = await a2a('runs.list', { limit: '9'.repeat(500_000) })
  expect(refused.error?.data.code).toBe('invalid_input')
})

test.for(['TRUE', 'yes', '1', ' true'])('the text %j is no switch', async (dry_run) => {
  const refused = await a2a('agent_apps.provision', { manifest: manifest('x'), dry_run })
  expect(refused.error?.data.code).toBe('invalid_input')
})

test('a repeated call under one idempotency key is told the same', async () => {
  const again = { 'idempotency-key': crypto.randomUUID() }
  const call = () => post('/api/characters/', { character: { name: 'Ada' } }, again)
  const [first, second] = [await call(), await call()]
  expect(second.body).toEqual(first.body)
  expect(second.response.headers.get('understood')).toBe('"";as=document')
})

test('fields may be one text of names on every door, and the answer says so', async () => {
  await rest('POST', '/api/characters/', {
    id: 'fields',
    name: 'Ada',
    heart: { tasks: [{ task_id: 't', name: 'T', prompt: 'x', runtime: 'template' }] },
  })
  await rest('POST', '/api/characters/fields/tasks/t/run', {})
  const shown = [{ id: expect.any(String) as string, status: 'completed' }]
  const input = { char_id: 'fields', fields: 'id, status' }
  const listed = await rest('GET', '/api/runs?char_id=fields&fields=id,%20status', undefined)
  expect(listed.body['items']).toEqual(shown)
  const overMcp = await mcp('runs_list', input)
  expect(overMcp).toMatchObject({ isError: false, meta: [{ pointer: '/fields', as: 'array' }] })
  expect(overMcp.result['structuredContent']).toMatchObject({ items: shown })
  const overA2a = await a2a('runs.list', input)
  expect(overA2a).toMatchObject({ understood: '"/fields";as=array', result: { items: shown } })
  const wrong = await a2a('runs.list', { ...input, fields: 'id,state' })
  expect(wrong.error?.data.code).toBe('invalid_input')
  const [tooLong] = [await a2a('runs.list', { ...input, fields: 'id,'.repeat(60) })]
  expect(tooLong.error?.data.code).toBe('invalid_input')
})
