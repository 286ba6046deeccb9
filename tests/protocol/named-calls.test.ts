import { describe, expect, it } from 'vitest'
import type { ErrorObject } from '#src/core/errors.ts'
import { catalog } from '#src/catalog.ts'
import { changesNothing, offered, toolName } from '#src/core/operation-facts.ts'
import { ToolTable } from '#protocol/mcp/tools.ts'
import { openServer } from '#tests/operations/doors/server.ts'
import { served } from '#tests/support/served/served.ts'
import { stores } from '#tests/support/stores.ts'

const task = { task_id: 'echo', name: 'Echo', prompt: 'Echo: {{input}}', runtime: 'template' }
const here = served({ character: { heart: { tasks: [task] } } })

interface Said {
  answer?: Record<string, unknown>
  error?: ErrorObject
  /** How the input was understood, as the door tells it. */
  understood: readonly string[]
  /** The result or the error as the door gave it. */
  raw: Record<string, unknown>
}

type Call = (
  name: unknown,
  input?: unknown,
  more?: {
    key?: string | undefined
    idempotencyKey?: string
    query?: string
    url?: string
    /** Further members of the call itself. */
    sent?: object
  },
) => Promise<Said>

const revision = '2026-07-28'

const overMcp: Call = async (name, input, more = {}) => {
  const { key = here.key, idempotencyKey, query = '', url = here.url, sent } = more
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
  const params = { name: 'operations_call', arguments: { name, arguments: input, ...sent }, _meta }
  const response = await fetch(`${url}/mcp${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': 'operations_call',
      ...(key !== '' && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { result, error } = (await response.json()) as {
    result: {
      isError?: boolean
      content: { text: string }[]
      _meta?: { 'abode/understood'?: { pointer: string; as: string }[] }
    }
    error?: { data: ErrorObject }
  }
  // A limit that is reached is told by HTTP.
  if (error) return { error: error.data, understood: [], raw: { ...error } }
  const told = result._meta?.['abode/understood'] ?? []
  const understood = told.map(({ pointer, as }) => `"${pointer}";as=${as}`)
  const value = JSON.parse(result.content[0]?.text ?? '') as Record<string, unknown>
  // The error object of a refusal is the text of its result.
  const raw = { ...result }
  if (result.isError) return { error: value as unknown as ErrorObject, understood, raw }
  return { answer: value, understood, raw }
}

const overA2a: Call = async (name, input, more = {}) => {
  const { key = here.key, idempotencyKey, url = here.url, sent } = more
  const params = {
    name,
    arguments: input,
    ...sent,
    ...(idempotencyKey !== undefined && { _meta: { 'idempotency-key': idempotencyKey } }),
  }
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== '' && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'operations.call', params }),
  })
  const body = (await response.json()) as {
    result?: Record<string, unknown>
    error?: { data: ErrorObject }
  }
  const understood = response.headers.get('understood')?.split(', ') ?? []
  return body.error
    ? { error: body.error.data, understood, raw: { ...body.error } }
    : { answer: body.result ?? {}, understood, raw: { ...body } }
}

describe.each([
  ['MCP', overMcp],
  ['A2A', overA2a],
])('a call by name over %s', (door, call) => {
  it('answers what the operation answers, by its name on any door', async () => {
    const input = { char_id: here.agent, task_id: 'echo', input: 'tides' }
    for (const name of ['tasks.run', 'tasks_run', 'POST /api/characters/a/tasks/b/run']) {
      const { answer } = await call(name, input)
      expect(answer).toMatchObject({ status: 'completed', output: 'Echo: tides' })
    }
    expect((await call('health.get')).answer).toMatchObject({ status: 'ok' })
  })

  it('counts against the limits and the quotas of the operation', async () => {
    const [kind] = stores()
    if (!kind) throw new Error('there is always the embedded store')
    const strict = await openServer(kind, {
      ABODE_RATE_LIMITS: 'agent_claim=1/3600',
      ABODE_QUOTAS: 'agents=1',
    })
    try {
      const { url } = strict
      const { answer } = await call('agent_claim.create', {}, { key: '', url })
      const again = await call('agent_claim.create', {}, { key: '', url })
      expect(again.error?.code).toBe('rate_limited')
      expect((await fetch(`${url}/api/agent-claim`, { method: 'POST' })).status).toBe(429)
      const terms = { key: String(answer?.['api_key']), url }
      const made = await call('characters.create', { character: { id: 'one', name: 'One' } }, terms)
      expect(made.answer).toMatchObject({ id: 'one' })
      const more = await call('characters.create', { character: { id: 'two', name: 'Two' } }, terms)
      expect(more.error?.code).toBe('quota_exceeded')
    } finally {
      await strict.close()
    }
  })

  it('is refused as the operation refuses', async () => {
    const missing = await call('tasks.run', { char_id: here.agent })
    expect(missing.error).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/task_id' }],
    })
    const gone = await call('characters.get', { char_id: 'no-such-thing' })
    expect(gone.error).toMatchObject({ code: 'character_not_found' })
    expect((await call('account.get', {}, { key: '' })).error?.code).toBe('unauthenticated')
    const foreign = await call(
      'characters.get',
      { char_id: here.agent },
      { key: await here.stage.key('stranger') },
    )
    expect(foreign.error).toMatchObject({ code: 'forbidden' })
  })

  it('reaches no more than the key does', async () => {
    await here.stage.scopeTo(here.agent)
    const key = here.stage.extra.scoped ?? ''
    expect(key).not.toBe('')
    expect((await call('characters.get', { char_id: here.agent }, { key })).answer).toBeDefined()
    const { error } = await call('api_keys.create', { name: 'more' }, { key })
    expect(error).toMatchObject({ code: 'scope_forbidden' })
  })

  it('happens once for one idempotency key, also where the operation itself is called with it', async () => {
    const id = here.stage.id('once')
    const input = { character: { id, name: 'Once' } }
    const idempotencyKey = crypto.randomUUID()
    const first = await call('characters.create', input, { idempotencyKey })
    expect(first.answer).toMatchObject({ id })
    expect((await call('characters.create', input, { idempotencyKey })).answer).toEqual(
      first.answer,
    )
    const other = { character: { id: here.stage.id('other'), name: 'Other' } }
    const { error } = await call('characters.create', other, { idempotencyKey })
    expect(error?.code).toBe('idempotency_conflict')
  })

  it('understands arguments that are the JSON of an object, and says so', async () => {
    const text = JSON.stringify({ char_id: here.agent, task_id: 'echo', input: 'tides' })
    const run = await call('tasks.run', text)
    expect(run.answer).toMatchObject({ output: 'Echo: tides' })
    expect(run.understood).toEqual(['"/arguments";as=object'])
    const flat = JSON.stringify({
      char_id: here.agent,
      task: { name: 'Flat', prompt: 'x', order: '2' },
    })
    const { answer, understood } = await call('tasks.create', flat)
    expect(understood).toEqual(['"/arguments";as=object', '"/task/order";as=number'])
    expect(answer).toMatchObject({
      order: 2,
      warnings: [
        { code: 'understood', pointer: '/arguments' },
        { code: 'understood', pointer: '/order' },
      ],
    })
  })

  it.each(['params', 'args', 'input', 'parameters'])(
    'understands %s for its arguments, and says so',
    async (member) => {
      const input = { char_id: here.agent, task_id: 'echo', input: 'tides' }
      const run = await call('tasks.run', undefined, { sent: { [member]: input } })
      expect(run.answer).toMatchObject({ output: 'Echo: tides' })
      expect(run.understood).toEqual(['"/arguments";as=member'])
      const text = { [member]: JSON.stringify({ ...input, wait_seconds: '1' }) }
      const { answer, understood } = await call('tasks.run', undefined, { sent: text })
      expect(answer).toMatchObject({ output: 'Echo: tides' })
      expect(understood).toEqual([
        '"/arguments";as=member',
        '"/arguments";as=object',
        '"/wait_seconds";as=number',
      ])
    },
  )

  it('understands arguments that stand next to the name, and says so', async () => {
    const flat = { char_id: here.agent, task_id: 'echo', input: 'tides' }
    const run = await call('tasks.run', undefined, { sent: flat })
    expect(run.answer).toMatchObject({ output: 'Echo: tides' })
    expect(run.understood).toEqual(['"/arguments";as=document'])
  })

  it.each(['operation', 'tool', 'method'])('understands %s for its name', async (member) => {
    const sent = { [member]: 'characters.get', arguments: { char_id: here.agent } }
    const { answer, understood } = await call(undefined, undefined, { sent })
    expect(answer).toMatchObject({ id: here.agent })
    expect(understood).toEqual(['"/name";as=member'])
  })

  it.each([
    ['tasks.run', { args: { char_id: 'a' }, params: {} }, '/args'],
    ['tasks.run', { arguments: {}, input: 'tides' }, '/input'],
    ['tasks.run', { operation: 'tasks.run', arguments: {} }, '/operation'],
    // Of these the name could be that of the call or of the key.
    ['api_keys.create', { scope_char_id: 'a' }, '/scope_char_id'],
    ['tasks.run', { char_id: 'a', colour: 'red' }, '/colour'],
    ['tasks.run', { char_id: 'a', arguments: {} }, '/char_id'],
  ])('refuses %s with %j, which could be read in two ways', async (name, sent, pointer) => {
    const { error } = await call(name, undefined, { sent })
    expect(error).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] })
    expect(error?.hint).toContain('"arguments"')
  })

  it('tells what the operation itself understood of its input', async () => {
    const { answer, understood } = await call('tasks.list', { char_id: here.agent, limit: '1' })
    expect(answer).toMatchObject({ items: [{ task_id: 'echo' }] })
    expect(understood).toEqual(['"/limit";as=number'])
    expect((await call('tasks.list', { char_id: here.agent, limit: 1 })).understood).toEqual([])
  })

  it.each([
    ['[1]', 'invalid_input'],
    ['"{}"', 'invalid_input'],
    ['{"char_id": ', 'invalid_input'],
    ['{"__proto__": {}}', 'bad_json'],
    [`{"a": ${'['.repeat(40)}${']'.repeat(40)}}`, 'too_deep'],
    [`{"char_id": "${'x'.repeat(900_000)}", "more": "${'x'.repeat(100_000)}"}`, 'invalid_input'],
  ])('refuses %.20s as arguments, which no object can be read from', async (text, code) => {
    const { error } = await call('characters.get', text)
    expect(error?.code).toBe(code)
  })

  it('says where a text is too long for an object to be read in it, and what to send', async () => {
    const { error } = await call('characters.get', `{"char_id": "${'x'.repeat(65_536)}"}`)
    expect(error).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/arguments', code: 'too_long' }],
      hint: expect.stringContaining('the object itself'),
    })
  })

  it('is one call for one idempotency key, whether its arguments are a text or not', async () => {
    const input = { character: { id: here.stage.id('text'), name: 'Text' } }
    const idempotencyKey = crypto.randomUUID()
    const first = await call('characters.create', input, { idempotencyKey })
    const again = await call('characters.create', JSON.stringify(input), { idempotencyKey })
    expect(again.answer).toMatchObject({ id: first.answer?.['id'] })
  })

  it.each([
    [
      'run_task',
      {},
      { code: 'operation_not_found', suggestion: door === 'MCP' ? 'tasks_run' : 'tasks.run' },
    ],
    ['operations.call', { name: 'health.get' }, { code: 'invalid_input' }],
    ['operations_call', {}, { code: 'invalid_input' }],
    ['auth.login', { email: 'a@b.example', password: 'x' }, { code: 'operation_not_found' }],
    [7, {}, { code: 'invalid_input', errors: [{ pointer: '/name' }] }],
    ['x'.repeat(10_000), {}, { code: 'invalid_input', errors: [{ pointer: '/name' }] }],
    ['health.get', [1], { code: 'invalid_input', errors: [{ pointer: '/arguments' }] }],
  ])('to %j with %j is refused', async (name, input, error) => {
    const said = await call(name, input)
    expect(said.error).toMatchObject(error)
    expect(said.error?.hint).toBeTruthy()
  })
})

describe('the tool that calls by name', () => {
  const tools = new ToolTable(offered(catalog))
  const shown = (names: ('core' | 'runs')[] | undefined, readonly: boolean) =>
    tools.list({ toolsets: names, readonly }).find(({ name }) => name === 'operations_call')

  it('is listed with all tools and in the core, and warns of what it may call', () => {
    const worst = { readOnlyHint: false, destructiveHint: true, openWorldHint: true }
    expect(shown(undefined, false)?.annotations).toMatchObject(worst)
    expect(shown(['core'], false)?.annotations).toMatchObject(worst)
    expect(shown(['runs'], false)).toBeUndefined()
  })

  it('calls only what changes nothing where nothing else is asked for', async () => {
    expect(shown(['core'], true)?.annotations).toMatchObject({ readOnlyHint: true })
    const query = '?toolsets=core&readonly=true'
    const read = await overMcp('characters.get', { char_id: here.agent }, { query })
    expect(read.answer).toMatchObject({ id: here.agent })
    const written = await overMcp('characters.delete', { char_id: here.agent }, { query })
    expect(written.error).toMatchObject({ code: 'forbidden' })
    expect((await overMcp('characters.get', { char_id: here.agent })).answer).toBeDefined()
  })

  it('is not needed to be refused what changes something: so is every such tool itself', async () => {
    const isRefused = (name: string, readonly: boolean): boolean =>
      tools.called(name, {}, { toolsets: ['core'], readonly })?.refusal?.code === 'forbidden'
    for (const op of offered(catalog)) {
      const name = toolName(op)
      expect([name, isRefused(name, true)]).toEqual([name, !changesNothing(op)])
      expect([name, isRefused(name, false)]).toEqual([name, false])
    }
  })

  it('gives the answer once, as text, as all tools of the core do', async () => {
    const { raw } = await overMcp('account.get')
    expect(raw).not.toHaveProperty('structuredContent')
    const isOnce = (...toolsets: ('core' | 'runs')[]) =>
      tools.called('account_get', {}, { toolsets, readonly: false })?.asText
    expect([isOnce('core'), isOnce('core', 'runs')]).toEqual([true, false])
  })
})
