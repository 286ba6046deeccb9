import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import {
  startModelServer,
  type ModelServer,
  type ScriptedTurn,
} from '#tests/support/model-server.ts'
import { modelsOf, toolServersOf, type ModelsSetUp } from '#tests/support/models.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

interface Seen {
  type: string
  data: Record<string, unknown>
}

const operatorKey = 'sk-operator-marker-1'

describe.each(stores())('prompt runs with a model on $name', (kind) => {
  const { it, describe } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let server: ModelServer
  let key: string
  const running: Runner[] = []

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    server = await startModelServer()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    server.close()
    await store.close()
  })

  /** A world whose operator has set this; by default a model for all. */
  const world = (set: ModelsSetUp = {}, options: WorldOptions = {}): World => {
    const models = modelsOf({
      defaultModel: { provider: 'openai-compatible', model: 'm' },
      openai: { apiKey: operatorKey, baseUrl: server.baseUrl },
      ...set,
    })
    return openWorld(store, { clock, models, ...options })
  }
  const started = (made: World, slots = 4): Runner => {
    const one = runner(made.ports, slots)
    made.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
    return one
  }
  const agentWith = async (
    made: World,
    task: object = {},
    character: object = {},
  ): Promise<void> => {
    key = (await made.account()).key
    await made.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', bio: 'A harbour master.', ...character } },
      key,
    )
    const whole = { task_id: 't', name: 'Forecast', prompt: 'Say {{input}}', ...task }
    await made.ask('tasks.create', { char_id: 'ada', task: whole }, key)
  }
  const start = (made: World, input: unknown = 'hello', more: object = {}): Promise<Run> =>
    made.ask('tasks.run', { char_id: 'ada', task_id: 't', input, ...more }, key)
  const read = (made: World, { id }: Pick<Run, 'id'>): Promise<Run> =>
    made.ask('runs.get', { run_id: id }, key)
  const events = async (made: World, { id }: Pick<Run, 'id'>): Promise<Seen[]> =>
    (await made.ask<{ items: Seen[] }>('runs.events', { run_id: id, limit: 100 }, key)).items
  const settled = async (made: World, run: Run): Promise<Run> => {
    await until(async () => !['queued', 'running'].includes((await read(made, run)).status))
    return read(made, run)
  }
  /** Runs the task with these turns of the model, to its end. */
  const play = async (made: World, turns: ScriptedTurn[], input?: unknown): Promise<Run> => {
    server.plays(...turns)
    const run = await start(made, input)
    if (running.length === 0) started(made)
    running[0]?.wake(1)
    return settled(made, run)
  }
  const sent = (i = 0): string => JSON.stringify(server.asked[i]?.body)

  it('beyond the paid calls of the hour wait for an agent that leases them', async () => {
    const few = { ...noQuotas.unclaimed, paid_calls_hour: 1 }
    const quotas = { unclaimed: few, claimed: few }
    const made = world({}, { quotas })
    await agentWith(made)
    expect(await play(made, [{ text: ['Done.'] }])).toMatchObject({ status: 'completed' })
    // Another process counts in the same store.
    const other = world({}, { quotas })
    const run = await start(other)
    started(other).wake(1)
    await until(async () => (await read(other, run)).reason === 'paid_calls_hour')
    expect(await read(other, run)).toMatchObject({
      status: 'queued',
      attempt: 0,
      next: { operation: 'runs.lease', input: { char_id: 'ada', task_id: 't' } },
    })
    expect(server.asked).toHaveLength(1)
    const { quotas: used } = await other.ask<{ quotas: unknown[] }>('account.get', {}, key)
    expect(used).toContainEqual({ name: 'paid_calls_hour', used: 1, limit: 1 })
    const lease = await other.ask<{ run: Run; lease_token: string }>('runs.lease', {}, key)
    expect(lease.run.id).toBe(run.id)
    const done = { run_id: run.id, lease_token: lease.lease_token, output: 'By hand.' }
    await other.ask('runs.complete', done, key)
    // What the agent's own key pays for is not counted.
    const secrets = [{ name: 'OPENAI_API_KEY', value: 'sk-own-marker-22' }]
    await other.ask('characters.secrets.update', { char_id: 'ada', secrets }, key)
    const own = { selected_secrets: ['OPENAI_API_KEY'] }
    await other.ask('tasks.update', { char_id: 'ada', task_id: 't', task: own }, key)
    const free = await play(other, [{ text: ['Free.'] }])
    expect(free).toMatchObject({ status: 'completed', output: 'Free.' })
  })

  it('are done by the model, and counted', async () => {
    const made = world()
    await agentWith(made)
    const turn = { text: ['It is ', 'calm.'], usage: { input: 21, output: 4 } }
    const run = await play(made, [turn])
    expect(run).toMatchObject({
      status: 'completed',
      output: 'It is calm.',
      attempt: 1,
      reason: null,
      usage: { input_tokens: 21, output_tokens: 4 },
    })
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${operatorKey}`)
    expect(sent()).toContain('You are Ada.')
    expect(sent()).toContain('A harbour master.')
    expect(sent()).toContain('Say hello')
    expect(server.asked[0]?.body).toMatchObject({ model: 'm', temperature: 0.7, max_tokens: 4096 })
    const seen = await events(made, run)
    expect(seen.map(({ type }) => type)).toEqual([
      'run.queued',
      'run.started',
      'model.request',
      'model.text',
      'model.turn',
      'run.completed',
    ])
    expect(seen[4]?.data).toEqual({
      step: 1,
      model: 'openai-compatible/m',
      finish: 'stop',
      usage: { input_tokens: 21, output_tokens: 4 },
    })
  })

  it('are no business of agents that lease, while a model does them', async () => {
    const made = world()
    await agentWith(made)
    const run = await start(made)
    expect(run).toMatchObject({ status: 'queued', reason: null })
    expect(await made.ask('runs.lease', {}, key)).toMatchObject({
      run: null,
      reason: 'none_waiting',
    })
  })

  it('wait for an agent where no model is configured', async () => {
    const made = world({ defaultModel: undefined, openai: {} })
    await agentWith(made)
    const run = await start(made)
    expect(run).toMatchObject({ status: 'queued', reason: 'waiting_for_worker' })
    const lease = await made.ask<{ run: Run }>('runs.lease', {}, key)
    expect(lease.run.id).toBe(run.id)
  })

  it.each([
    ['a provider that is not configured', { brain: { llm_provider: 'anthropic', llm_model: 'm' } }],
    ['an unknown provider', { brain: { llm_provider: 'gemini', llm_model: 'm' } }],
    ['a provider and no model', { brain: { llm_provider: 'openai' } }],
  ])('go back to wait for an agent, unharmed, where their agent names %s', async (_, character) => {
    const made = world()
    await agentWith(made, {}, character)
    const waiting = made.ask<{ run: Run }>('runs.lease', { wait_seconds: 60 }, key)
    await until(() => made.ports.waiting.keys().length > 0)
    const run = await start(made)
    started(made).wake(1)
    const lease = await waiting
    expect(lease.run).toMatchObject({ id: run.id, attempt: 1, status: 'running' })
    expect(server.asked).toEqual([])
  })

  it('that went back are timed out after a day in which no agent took them', async () => {
    const made = world()
    await agentWith(made, {}, { brain: { llm_provider: 'gemini', llm_model: 'm' } })
    const run = await start(made)
    const worker = started(made)
    worker.wake(1)
    await until(async () => (await read(made, run)).reason === 'waiting_for_worker')
    expect(await read(made, run)).toMatchObject({ status: 'queued', attempt: 0 })
    await clock.advance(86_401_000)
    await worker.tick(clock.now())
    expect(await settled(made, run)).toMatchObject({ status: 'timed_out' })
  })

  it.each([
    ['the brain', { llm_provider: 'openai', llm_model: 'gpt-4.1' }, null, 'gpt-4.1'],
    ['the brain, with the provider of the default', { llm_model: 'own' }, null, 'own'],
    ['the brain, in one', { llm_model: 'openai/gpt-4.1' }, null, 'gpt-4.1'],
    ['the task', { llm_model: 'own' }, 'other', 'other'],
    ['the task, with a provider', { llm_provider: 'gemini' }, 'openai/gpt-4.1', 'gpt-4.1'],
    ['the task, with slashes of its own', {}, 'org/model:8b', 'org/model:8b'],
  ])('take the model that is named by %s', async (_, brain, model_override, model) => {
    const made = world()
    await agentWith(made, { model_override }, { brain })
    expect(await play(made, [{ text: ['x'] }])).toMatchObject({ status: 'completed' })
    expect(server.asked[0]?.body['model']).toBe(model)
  })

  it('speak to Anthropic as Anthropic does', async () => {
    const anthropic = { apiKey: 'sk-ant', baseUrl: server.baseUrl }
    const made = world({ anthropic, openai: {} })
    const brain = {
      llm_provider: 'anthropic',
      llm_model: 'claude',
      temperature: 0.1,
      max_tokens: 99,
    }
    await agentWith(made, {}, { brain, brain_note: 'x' })
    expect(await play(made, [{ text: ['x'] }])).toMatchObject({ output: 'x' })
    expect(server.asked[0]?.path).toBe('/v1/messages')
    expect(server.asked[0]?.body).toMatchObject({
      model: 'claude',
      temperature: 0.1,
      max_tokens: 99,
    })
  })

  it('keep long texts in pieces, between words', async () => {
    const made = world()
    await agentWith(made)
    const words = Array.from({ length: 300 }, (_, i) => `word${i} `)
    const run = await play(made, [{ text: words }])
    const seen = (await events(made, run)).filter(({ type }) => type === 'model.text')
    const pieces = seen.map(({ data }) => String(data['text']))
    expect(pieces.join('')).toBe(words.join(''))
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.length).toBeLessThan(10)
    for (const piece of pieces) expect(piece).toMatch(/ $/)
  })

  it.each([
    ['no input', null, 'Say something', 'Say something', null],
    [
      'an input that the prompt does not name',
      'the tide',
      'Say something',
      'Say something',
      'the tide',
    ],
    ['an input that it names', 'the tide', 'Say {{input}}', 'Say the tide', null],
    ['an empty prompt', { a: 1 }, '', 'Forecast', '{"a":1}'],
  ])('are told what they are given: %s', async (_, input, prompt, expected, fenced) => {
    const made = world()
    await agentWith(made, { prompt })
    await play(made, [{ text: ['x'] }], input)
    const user = server.asked[0]?.body.messages.find(({ role }) => role === 'user')
    const text = String(user?.content)
    expect(text.startsWith(expected)).toBe(true)
    if (fenced === null) expect(text).toBe(expected)
    else expect(text).toMatch(/\[\w{16} untrusted: the input of this run\n/)
    if (fenced !== null) expect(text).toContain(fenced)
  })

  describe('where the provider stumbles', () => {
    it.each<[string, ScriptedTurn]>([
      ['429', { status: 429 }],
      ['500', { status: 500 }],
      ['529', { status: 529 }],
      ['a stream that is cut off', { text: ['Half'], cut: 'broken' }],
      ['a stream that ends early', { text: ['Half'], cut: 'ended' }],
    ])('are tried again after %s, within the same attempt', async (_, stumble) => {
      const made = world()
      await agentWith(made)
      server.plays(stumble, { text: ['Whole.'] })
      const run = await start(made)
      started(made).wake(1)
      await until(() => clock.isSlept(2000))
      await clock.advance(2000)
      expect(await settled(made, run)).toMatchObject({ output: 'Whole.', attempt: 1 })
      const retried = (await events(made, run)).find(({ type }) => type === 'model.retried')
      expect(retried?.data).toMatchObject({ step: 1, after_ms: 2000 })
    })

    it('wait as long as it asks for', async () => {
      const made = world()
      await agentWith(made)
      server.plays({ status: 429, headers: { 'retry-after': '9' } }, { text: ['x'] })
      const run = await start(made)
      started(made).wake(1)
      await until(() => clock.isSlept(9000))
      expect(server.asked).toHaveLength(1)
      await clock.advance(9000)
      expect(await settled(made, run)).toMatchObject({ output: 'x' })
    })

    it.each([
      [429, 'provider_rate_limited'],
      [503, 'provider_unavailable'],
    ])('fail when it happens again (%i)', async (status, code) => {
      const made = world()
      await agentWith(made)
      const turn = { calls: [{ name: 'teleport', arguments: {} }], usage: { input: 7, output: 2 } }
      server.plays(turn, { status }, { status })
      const run = await start(made)
      started(made).wake(1)
      await until(() => clock.isSlept(2000))
      await clock.advance(2000)
      expect(await settled(made, run)).toMatchObject({
        status: 'failed',
        error: { code },
        usage: { input_tokens: 7, output_tokens: 2 },
      })
      expect(server.asked).toHaveLength(3)
    })

    it('fail where it stumbles again in a later step', async () => {
      const made = world()
      await agentWith(made)
      const call = { calls: [{ name: 'teleport', arguments: {} }] }
      server.plays({ status: 500 }, call, { status: 500 }, { text: ['x'] })
      const run = await start(made)
      started(made).wake(1)
      await until(() => clock.isSlept(2000))
      await clock.advance(2000)
      expect(await settled(made, run)).toMatchObject({
        status: 'failed',
        error: { code: 'provider_unavailable' },
      })
      expect(server.asked).toHaveLength(3)
    })

    it.each([
      [401, 'provider_unauthorized', /does not accept the key/],
      [404, 'provider_error', /no model of this name/],
      [400, 'provider_error', /no model of this name/],
    ])('fail at once after %i', async (status, code, message) => {
      const made = world()
      await agentWith(made)
      const run = await play(made, [{ status, message: `no model of this name ${operatorKey}` }])
      expect(run).toMatchObject({ status: 'failed', error: { code } })
      expect(run.error?.message).toMatch(message)
      expect(JSON.stringify([run, await events(made, run)])).not.toContain(operatorKey)
      expect(server.asked).toHaveLength(1)
    })

    it('fail where its answer cannot be read', async () => {
      const made = world()
      await agentWith(made)
      const run = await play(made, [{ raw: 'data: nonsense\n\n' }])
      expect(run).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
    })
  })

  it('end with a code of their own where the model declines', async () => {
    const made = world()
    await agentWith(made)
    const run = await play(made, [{ text: ['No'], finish: 'content_filter' }])
    expect(run).toMatchObject({ status: 'failed', error: { code: 'provider_refused' } })
    expect(run.usage).toEqual({ input_tokens: 10, output_tokens: 5, unpriced_calls: 1 })
  })

  it('keep what there is where the model is cut short, and say so', async () => {
    const made = world()
    await agentWith(made)
    const run = await play(made, [{ text: ['Half of'], finish: 'length' }])
    expect(run).toMatchObject({ status: 'completed', output: 'Half of' })
    expect(await events(made, run)).toContainEqual(
      expect.objectContaining({ type: 'output.cut', data: { step: 1, reason: 'max_tokens' } }),
    )
  })

  it('fail where the model writes without end, in one step or in many', async () => {
    const made = world()
    await agentWith(made)
    const piece = 'never ending '.repeat(2000)
    const whole = await play(made, [{ text: Array<string>(50).fill(piece) }])
    const failure = {
      status: 'failed',
      output: null,
      error: {
        code: 'output_too_long',
        message: 'The model wrote more than 1048576 characters in this run.',
      },
    }
    expect(whole).toMatchObject(failure)
    const calls = [{ name: 'nothing', arguments: {} }]
    const half = { text: Array<string>(25).fill(piece), calls }
    expect(await play(made, [half, half, half])).toMatchObject(failure)
    expect(server.asked).toHaveLength(3)
  })

  it('time out where a step takes longer than the task allows', async () => {
    const made = world()
    await agentWith(made, { step_timeout_seconds: 7 })
    server.plays({ text: ['Well'], hangs: true })
    const run = await start(made)
    started(made).wake(1)
    await until(() => server.asked.length === 1 && clock.isSlept(7000))
    await clock.advance(7000)
    expect(await settled(made, run)).toMatchObject({
      status: 'timed_out',
      error: { code: 'step_timeout' },
    })
    await server.left
  })

  it('that are cancelled leave the provider at once', async () => {
    const made = world()
    await agentWith(made)
    server.plays({ text: ['Well, '], hangs: true })
    const run = await start(made)
    started(made).wake(1)
    await until(() => server.asked.length === 1)
    await made.ask('runs.cancel', { run_id: run.id }, key)
    await server.left
    expect(await read(made, run)).toMatchObject({ status: 'cancelled' })
  })

  itOnEach('are handed back by a process that stops, and done by the next', async () => {
    const made = world()
    await agentWith(made)
    server.plays({ text: ['Well, '], hangs: true }, { text: ['Done.'] })
    const run = await start(made)
    const first = started(made)
    first.wake(1)
    await until(() => server.asked.length === 1)
    await first.stop()
    await server.left
    expect(await read(made, run)).toMatchObject({ status: 'queued', attempt: 1, reason: null })
    started(made).wake(1)
    expect(await settled(made, run)).toMatchObject({ output: 'Done.', attempt: 2 })
  })

  it('give up a model that never stops to call tools', async () => {
    const made = world()
    await agentWith(made)
    const call = { calls: [{ name: 'teleport', arguments: {} }] }
    const run = await play(
      made,
      Array.from({ length: 30 }, () => call),
    )
    expect(run).toMatchObject({ status: 'failed', error: { code: 'too_many_steps' } })
    expect(server.asked).toHaveLength(20)
    expect(run.usage).toEqual({ input_tokens: 200, output_tokens: 100, unpriced_calls: 20 })
  })

  describe('of an agent with a key of its own', () => {
    const own = 'sk-own-marker-22222'
    const withSecrets = async (made: World, secrets: Record<string, string>): Promise<void> => {
      const all = Object.entries(secrets).map(([name, value]) => ({ name, value }))
      await made.ask('characters.secrets.update', { char_id: 'ada', secrets: all }, key)
    }

    it('use it where the task selects it', async () => {
      const made = world()
      await agentWith(made, { selected_secrets: ['OPENAI_API_KEY'] })
      await withSecrets(made, { OPENAI_API_KEY: own })
      const run = await play(made, [{ text: [`It is ${own}.`] }])
      expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${own}`)
      expect(run.output).toBe('It is [secret].')
      const kept = JSON.stringify([run, await events(made, run), await store.run_events.find({})])
      expect(kept).not.toContain(own)
    })

    it('do not use it where the task does not', async () => {
      const made = world()
      await agentWith(made)
      await withSecrets(made, { OPENAI_API_KEY: own })
      await play(made, [{ text: ['x'] }])
      expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${operatorKey}`)
    })

    it('wait for an agent where the secret that is selected is not there', async () => {
      const made = world({ defaultModel: undefined, openai: {} })
      const brain = { llm_provider: 'openai', llm_model: 'm' }
      await agentWith(made, { selected_secrets: ['OPENAI_API_KEY'] }, { brain })
      const run = await start(made)
      started(made).wake(1)
      await until(async () => (await read(made, run)).reason === 'waiting_for_worker')
      expect(await read(made, run)).toMatchObject({ status: 'queued', attempt: 0 })
    })

    it('may not reach inside the network by an address of its own', async () => {
      const made = world()
      await agentWith(made, { selected_secrets: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] })
      await withSecrets(made, { OPENAI_API_KEY: own, OPENAI_BASE_URL: server.baseUrl })
      const run = await play(made, [{ text: ['x'] }])
      expect(run).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
      expect(server.asked).toEqual([])
    })
  })

  itOnEach('are done by other processes too, each once', async () => {
    const made = world({}, { toolServers: toolServersOf() })
    await agentWith(made)
    const runs: Run[] = []
    for (let i = 0; i < 12; i++) {
      server.plays({ text: ['x'] })
      runs.push(await start(made))
    }
    for (const one of [started(made), started(world())]) one.wake(12)
    for (const run of runs) {
      expect(await settled(made, run)).toMatchObject({ attempt: 1, output: 'x' })
    }
    expect(server.asked).toHaveLength(12)
  })
})
