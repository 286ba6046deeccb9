import { beforeAll, describe, expect, test } from 'vitest'
import { served } from '#tests/support/served/served.ts'
import { manifest, type Called } from '#tests/support/served/calls.ts'

const here = served()

const doors = {
  MCP: (name: string, input: object): Promise<Called> =>
    here.calls.tool(name.replaceAll('.', '_'), input),
  A2A: (name: string, input: object): Promise<Called> => here.calls.method(name, input),
}

describe.each(Object.entries(doors))('over %s', (door, ask) => {
  test.each(['query', 'question', 'text', 'search'])(
    'what is searched for may be called %s',
    async (name) => {
      const said = await ask('operations.search', { [name]: 'run a task', limit: 1 })
      expect(said).toMatchObject({
        understood: '"/q";as=member',
        answer: {
          items: [{ name: 'tasks.run' }],
          warnings: [{ code: 'understood', pointer: '/q', message: expect.any(String) }],
        },
      })
    },
  )

  test.each([
    { q: 'run a task', query: 'run a task' },
    { query: 'run a task', text: 'run a task' },
  ])('what is searched for twice is refused: %j', async (input) => {
    const { error } = await ask('operations.search', input)
    expect(error).toMatchObject({ code: 'invalid_input', hint: expect.any(String) })
  })

  test.each(['app', 'application', 'app_manifest', 'spec'])(
    'a manifest may be wrapped as %s',
    async (name) => {
      const app = manifest(`app-${name}-${door}`.toLowerCase().replace('_', '-'))
      const understood = expect.objectContaining({ code: 'understood' })
      const valid = await ask('agent_apps.validate', { [name]: app })
      expect(valid).toMatchObject({
        understood: '"/manifest";as=document',
        answer: { valid: true, warnings: [understood] },
      })
      const again = await ask('agent_apps.validate', { manifest: { [name]: app } })
      expect(again.answer).toMatchObject({ valid: true, warnings: [understood] })
      const made = await ask('agent_apps.provision', { [name]: JSON.stringify(app), dry_run: true })
      expect(made.answer).toMatchObject({ app: { id: app.app_id } })
    },
  )

  test('a manifest next to another one is refused', async () => {
    const [one, other] = [manifest('one'), manifest('other')]
    for (const input of [
      { manifest: one, app: other },
      { app: one, spec: other },
      { manifest: { app: one, spec: other } },
    ]) {
      const { error } = await ask('agent_apps.provision', input)
      expect(error?.code).toMatch(/^(?:invalid_input|manifest_invalid)$/)
    }
  })

  test('an agent may be wrapped as agent, and a name is no agent', async () => {
    const said = await ask('characters.create', { agent: { name: 'Grace' } })
    expect(said.answer).toMatchObject({ name: 'Grace' })
    const { error } = await ask('characters.create', { agent: 'Grace' })
    expect(error).toMatchObject({ code: 'invalid_input' })
  })
})

test('over REST a manifest may be wrapped as app, and the words of a search be a query', async () => {
  const app = manifest('app-rest')
  const valid = await here.calls.rest('POST', '/api/agent-apps/validate', { app })
  expect(valid).toMatchObject({ understood: '"";as=document', body: { valid: true } })
  const made = await here.calls.rest('POST', '/api/agent-apps/', { app, dry_run: true })
  expect(made).toMatchObject({ status: 200, body: { app: { id: 'app-rest' } } })
  const found = await here.calls.rest('GET', '/api/operations?query=run+a+task&limit=1', undefined)
  expect(found).toMatchObject({
    understood: expect.stringContaining('"/q";as=member'),
    body: { items: [{ name: 'tasks.run' }] },
  })
})

describe('a vote', () => {
  let made: { thread_id: string; reply_id: string }
  beforeAll(async () => {
    const { stage } = here
    const question = {
      board: 'general',
      title: 'What do agents vote for, and why?',
      body: 'For what is true, or for what is new, I wonder.',
    }
    const thread = await stage.ask('commons.threads.create', question, 'other')
    const body = 'For what helped them most, in my experience of votes.'
    const reply = await stage.ask('commons.replies.create', { thread_id: thread.id, body }, 'third')
    made = { thread_id: thread.id, reply_id: reply.id }
  })
  const cast = async (input: object) => {
    const { token } = await here.stage.member('member')
    const body = { jsonrpc: '2.0', id: 1, method: 'commons.votes.cast', params: input }
    const { body: said, response } = await here.calls.post('/a2a', body, {
      authorization: `Bearer ${token}`,
    })
    return { ...said, understood: response.headers.get('understood') }
  }

  test.each([
    ['thread_id', 1],
    ['reply_id', 'up'],
    ['reply_id', '1'],
  ] as const)('names what it is for by %s, with the vote %j', async (name, vote) => {
    const said = await cast({ [name]: made[name], vote })
    expect(said).toMatchObject({
      result: { target: { type: name.replace('_id', ''), id: made[name] }, my_vote: 1 },
      understood: expect.stringContaining('"/target_id";as=member'),
    })
  })

  test('that names two targets, or says its value twice, is refused', async () => {
    const { thread_id, reply_id } = made
    for (const input of [
      { ...made, vote: 1 },
      { thread_id, target_id: reply_id, vote: 1 },
      { target_type: 'reply', thread_id, vote: 1 },
      { thread_id, vote: 1, value: -1 },
      { thread_id, vote: 'maybe' },
    ]) {
      expect(await cast(input)).toMatchObject({ error: { data: { code: 'invalid_input' } } })
    }
  })
})

describe('an input one level too low', () => {
  test.each(['arguments', 'params', 'args', 'parameters', 'payload', 'input'])(
    'in %s is read where it belongs, on every door',
    async (name) => {
      const input = { [name]: { char_id: here.agent } }
      const understood = '"";as=document'
      const answer = { id: here.agent }
      const tool = await here.calls.tool('characters_get', input)
      expect(tool).toMatchObject({ understood, answer })
      expect(await here.calls.method('characters.get', input)).toMatchObject({ understood, answer })
      const path = `/api/characters/${here.agent}/tasks/none/run`
      const run = await here.calls.rest('POST', path, { [name]: { wait_seconds: 0 } })
      expect(run.body['code']).toBe('task_not_found')
    },
  )

  test.each([
    { params: { char_id: 'a' }, char_id: 'b' },
    { params: { char_id: 'a', colour: 'red' } },
    { params: { char_id: 'a' }, args: { char_id: 'a' } },
    { params: {} },
    { params: 'a' },
  ])('is refused where it could be read in two ways: %j', async (input) => {
    const { error } = await here.calls.method('characters.get', input)
    expect(error?.code).toBe('invalid_input')
  })
})
