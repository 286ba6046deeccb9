import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '#src/core/door.ts'
import { fieldNames, sectionNames } from '#src/runs/generation/subject.ts'
import type { Log } from '#src/ports/log.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import {
  startModelServer,
  type ModelServer,
  type ScriptedTurn,
} from '#tests/support/model-server.ts'
import { modelsOf } from '#tests/support/models.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { noQuotas, openWorld, type World, type WorldOptions } from '#tests/support/world.ts'

const operatorKey = 'sk-operator-marker-1'
const ownKey = 'sk-own-marker-2'

describe.each(oneStore())('generation with a model on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let server: ModelServer
  let key: string
  let world: World
  let ended: string[]

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
    ended = []
    await open()
  })
  afterEach(async () => {
    server.close()
    await store.close()
  })

  async function open(
    options: WorldOptions = {},
    provider = 'openai-compatible',
    character: object = {},
  ): Promise<void> {
    const access = { apiKey: operatorKey, baseUrl: server.baseUrl }
    const models = modelsOf({
      defaultModel: { provider, model: 'm' },
      openai: access,
      anthropic: access,
    })
    world = openWorld(store, { clock, models, ...options })
    world.ports.meter.runEnded = (status) => void ended.push(status)
    key = (await world.account()).key
    const profile = { id: `ada-${Math.random()}`, name: 'Ada', bio: 'Harbour master of the north.' }
    await world.ask('characters.create', { character: { ...profile, ...character } }, key)
    id = profile.id
  }
  let id: string
  const input = (more: object) => ({ character_id: id, ...more })
  const field = <T = { value: unknown }>(name: string) =>
    world.ask<T>('ai.generate', input({ field: name }), key)
  const refused = (name = 'bio') => world.refusal('ai.generate', input({ field: name }), key)
  const plays = (...answers: unknown[]) =>
    server.plays(...answers.map((answer): ScriptedTurn => ({ text: [JSON.stringify(answer)] })))
  const sent = (i = 0): string => JSON.stringify(server.asked[i]?.body)
  const responseFormat = (i = 0): unknown => server.asked[i]?.body['response_format']

  it('gives what the model wrote, and changes nothing', async () => {
    plays({ value: 'Keeps the harbour in order.' })
    expect(await field('bio')).toEqual({
      field: 'bio',
      value: 'Keeps the harbour in order.',
      applied: false,
    })
    expect(ended).toEqual(['completed'])
    const now = await world.ask('characters.get', { char_id: id }, key)
    expect(now).toMatchObject({ bio: 'Harbour master of the north.', revision: 1 })
    expect(await world.ask('runs.list', {}, key)).toMatchObject({ items: [] })
  })

  it("holds the model to the member's own schema, and shows the profile as material", async () => {
    plays({ value: ['tides'] })
    await field('skills')
    expect(responseFormat()).toMatchObject({
      type: 'json_schema',
      json_schema: {
        strict: true,
        schema: {
          type: 'object',
          properties: { value: { type: 'array', items: { type: 'string' } } },
          required: ['value'],
          additionalProperties: false,
        },
      },
    })
    const [system, user] = server.asked[0]?.body.messages ?? []
    const [, mark = ''] = /lines "\[(\S+) /.exec(String(system?.content)) ?? []
    const prompt = String(user?.content)
    const inside = prompt.slice(prompt.indexOf(`[${mark} untrusted`), prompt.indexOf(`… ${mark}]`))
    expect(inside).toContain('Harbour master of the north.')
    expect(server.asked[0]?.body).toMatchObject({ model: 'm', temperature: 0.7, max_tokens: 4096 })
  })

  it('takes the model of the agent, and the access of the operator alone', async () => {
    const brain = {
      llm_provider: 'openai-compatible',
      llm_model: 'own',
      temperature: 0.1,
      max_tokens: 500,
      mcps: [{ name: 'm', url: 'https://m.example/', env: { TOKEN: 'marker-env' } }],
    }
    await open({}, 'openai-compatible', { brain })
    const secrets = [
      { name: 'OPENAI_API_KEY', value: ownKey },
      { name: 'OPENAI_BASE_URL', value: 'https://elsewhere.example/v1' },
    ]
    await world.ask('characters.secrets.update', { char_id: id, secrets }, key)
    plays({ value: 'Ada.' })
    await field('role')
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${operatorKey}`)
    expect(server.asked[0]?.body).toMatchObject({ model: 'own', temperature: 0.1, max_tokens: 500 })
    expect(sent()).not.toContain('marker-env')
    expect(sent()).not.toContain(ownKey)
  })

  it.each(['openai', 'openai-compatible', 'anthropic'])('asks %s as it wants', async (provider) => {
    await open({}, provider)
    plays({ value: 'Well.' })
    expect(await field('tagline')).toMatchObject({ value: 'Well.' })
    expect(server.asked).toHaveLength(1)
  })

  it('writes every field and every section that it names', async () => {
    for (const name of fieldNames) {
      server.plays({ status: 400 })
      await refused(name)
    }
    for (const section of sectionNames) {
      server.plays({ status: 400 })
      await world.refusal('ai.generate_section', input({ section }), key)
    }
    const schemas = server.asked.flatMap(({ body }) => body['response_format'] ?? [])
    expect(schemas).toHaveLength(fieldNames.length + sectionNames.length)
    expect(JSON.stringify(schemas)).not.toMatch(/"(?:min|max)(?:Length|Items)"|\$schema|\$ref/)
  })

  it('gives a section with each of its members', async () => {
    const values = {
      traits: ['calm'],
      communication_style: 'Short.',
      humor: 'Dry.',
      energy: 'Steady.',
      temperament: 'Even.',
    }
    plays(values)
    const answer = await world.ask('ai.generate_section', input({ section: 'personality' }), key)
    expect(answer).toEqual({ section: 'personality', values })
  })

  it('says once what did not fit, and takes what fits then', async () => {
    plays({ value: [] }, { value: ['e\u0301tudes'] })
    expect((await field('skills')).value).toEqual(['\u00e9tudes'])
    expect(sent(1)).toContain('An answer before did not fit')
    expect(sent(1)).toContain('/value')
    expect(server.asked).toHaveLength(2)
  })

  it('does without a schema where the provider does not take one', async () => {
    server.plays(
      { status: 400, message: 'This response_format type is unavailable now' },
      { text: ['```json\n{"value": "Here."}\n```'] },
    )
    expect((await field('bio')).value).toBe('Here.')
    expect(responseFormat(0)).toBeDefined()
    expect(responseFormat(1)).toBeUndefined()
    expect(sent(1)).toContain('JSON Schema')
  })

  const quoting = `the key ${operatorKey} and more`
  const unfit: [string, unknown][] = [
    ['no JSON', undefined],
    ['another form', { value: { text: 'x' } }],
    ['a blank', { value: ' \n' }],
    ['null', { value: null }],
    ['a member too many', { value: 'x', extra: quoting }],
    ['a list', ['x']],
    ['half a character', { value: 'x\ud800' }],
    ['too much', { value: 'x'.repeat(20_001) }],
  ]
  it.each(unfit)('gives up when the model writes %s twice', async (_, value) => {
    const text = value === undefined ? 'Certainly! {"value": "' : JSON.stringify(value)
    server.plays({ text: [text] }, { text: [text] })
    const refusal = await refused()
    expect(refusal).toMatchObject({ code: 'generation_failed' })
    expect(JSON.stringify(refusal)).not.toContain(operatorKey)
    expect(server.asked).toHaveLength(2)
    expect(ended).toEqual(['failed'])
  })

  const depth = 20_000
  const hostile: [string, string][] = [
    ['lists in lists', '['.repeat(depth) + ']'.repeat(depth)],
    ['objects in objects', '{"value":'.repeat(depth) + '1' + '}'.repeat(depth)],
    ['a value of lists in lists', `{"value":${'['.repeat(depth)}${']'.repeat(depth)}}`],
    ['a name that means something else', '{"value":"x","__proto__":{"a":1}}'],
    ['a code block of blanks without an end', `\`\`\`json${' '.repeat(150_000)}x`],
    ['a code block of letters without an end', `\`\`\`${'a'.repeat(190_000)}`],
  ]
  it.each(hostile)('gives up at once when the model writes %s', async (_, text) => {
    server.plays({ text: [text] }, { text: [text] })
    expect(await refused()).toMatchObject({ code: 'generation_failed' })
  })

  const faults: [string, ScriptedTurn, string, number | undefined][] = [
    ['401', { status: 401, message: quoting }, 'generation_failed', undefined],
    ['403', { status: 403, message: quoting }, 'generation_failed', undefined],
    [
      '429 with Retry-After',
      { status: 429, message: quoting, headers: { 'retry-after': '17' } },
      'provider_unavailable',
      17,
    ],
    ['429 without', { status: 429, message: quoting }, 'provider_unavailable', undefined],
    ['500', { status: 500, message: quoting }, 'provider_unavailable', undefined],
    ['529', { status: 529, message: quoting }, 'provider_unavailable', undefined],
    ['no stream', { raw: '<html>' }, 'provider_unavailable', undefined],
    ['a broken stream', { raw: `data: {"id": "${quoting}` }, 'provider_unavailable', undefined],
    ['what is no stream of its', { raw: `data: "${quoting}"\n\n` }, 'generation_failed', undefined],
    ['an end in the middle', { text: ['{"val'], cut: 'ended' }, 'provider_unavailable', undefined],
    ['a lost connection', { text: ['{'], cut: 'broken' }, 'provider_unavailable', undefined],
    ['a refusal', { text: ['{}'], finish: 'content_filter' }, 'generation_failed', undefined],
    ['a cut', { text: ['{"value": "x'], finish: 'length' }, 'generation_failed', undefined],
    ['a flood', { text: Array(30).fill('x'.repeat(10_000)) }, 'generation_failed', undefined],
  ]
  it.each(faults)('refuses in words of its own after %s', async (_, turn, code, seconds) => {
    const lines: unknown[] = []
    const note = (...words: unknown[]): void => void lines.push(words)
    const log: Log = { debug: note, info: note, warn: note, error: note }
    await open({ log })
    server.plays(turn)
    const refusal = await refused()
    expect(refusal.code).toBe(code)
    expect(refusal.retry_after_s).toBe(seconds)
    expect(refusal.hint).toContain('lease: true')
    expect(JSON.stringify([refusal, lines])).not.toContain(operatorKey)
    expect(server.asked).toHaveLength(1)
    expect(ended).toEqual(['failed'])
  })

  it('quotes nothing of a request that the provider refuses twice', async () => {
    server.plays({ status: 400, message: quoting }, { status: 422, message: quoting })
    const refusal = await refused()
    expect(refusal.code).toBe('generation_failed')
    expect(JSON.stringify(refusal)).not.toContain(operatorKey)
  })

  it('takes 60 seconds at most', async () => {
    server.plays({ text: ['{"value'], hangs: true })
    const refusal = refused()
    await until(() => server.asked.length === 1)
    await clock.advance(59_999)
    expect(ended).toEqual([])
    await clock.advance(1)
    expect(await refusal).toMatchObject({ code: 'provider_unavailable' })
    await server.left
    expect(ended).toEqual(['timed_out'])
  })

  it('ends when the caller goes', async () => {
    server.plays({ text: ['{"value'], hangs: true })
    const leaving = new AbortController()
    const operation = world.core.catalog.find((op) => op.name === 'ai.generate')
    if (!operation) throw new Error('there is no such operation')
    const call: Call = {
      operation,
      input: input({ field: 'bio' }),
      credential: key,
      address: '127.0.0.0',
      requestId: 'r',
      signal: leaving.signal,
    }
    const outcome = world.core.serve(call)
    await until(() => server.asked.length === 1)
    leaving.abort()
    expect((await outcome).refusal?.code).toBe('generation_failed')
    await server.left
  })

  it('counts as a run of the day', async () => {
    const few = { ...noQuotas.unclaimed, runs_a_day: 1 }
    await open({ quotas: { unclaimed: few, claimed: few } })
    plays({ value: 'One.' })
    await field('bio')
    expect(await refused()).toMatchObject({ code: 'quota_exceeded' })
    const lease = await world.refusal('ai.generate', input({ field: 'bio', lease: true }), key)
    expect(lease).toMatchObject({ code: 'quota_exceeded' })
  })

  it('counts as a paid call, each attempt by itself', async () => {
    const few = { ...noQuotas.unclaimed, paid_calls_hour: 1 }
    await open({ quotas: { unclaimed: few, claimed: few } })
    plays({ value: 'One.' })
    await field('bio')
    expect(await refused()).toMatchObject({ code: 'quota_exceeded' })
    expect(server.asked).toHaveLength(1)
  })

  describe('as a run that is leased', () => {
    const queue = (field = 'bio') =>
      world.ask<Run>('ai.generate', input({ field, lease: true }), key)
    const read = (run: Run) => world.ask<Run>('runs.get', { run_id: run.id }, key)
    const lease = () =>
      world.ask<{ run: Run | null; lease_token: string }>('runs.lease', { char_id: id }, key)
    const working = () => runner(world.ports, 2)

    it('is left by the runner, with any model, and ends when no agent takes it', async () => {
      const run = await queue()
      const running = working()
      running.wake(1)
      await running.tick(clock.now())
      expect(await read(run)).toMatchObject({ status: 'queued', reason: 'waiting_for_worker' })
      clock.set(clock.now().getTime() + 24 * 3600 * 1000)
      expect(await running.tick(clock.now())).toBe(1)
      expect(await read(run)).toMatchObject({
        status: 'timed_out',
        reason: 'waiting_for_worker',
        error: { code: 'no_worker' },
      })
      await running.stop()
      expect(server.asked).toEqual([])
    })

    it('goes back when its agent falls silent, or gives up for now', async () => {
      const run = await queue()
      const first = await lease()
      const running = working()
      clock.set(clock.now().getTime() + 601_000)
      expect(await running.tick(clock.now())).toBe(1)
      expect(await read(run)).toMatchObject({ status: 'queued', attempt: 1 })
      const again = await lease()
      expect(again.run?.id).toBe(run.id)
      const { lease_token } = again
      const about = { run_id: run.id, lease_token }
      const error = { message: 'Busy.' }
      await world.ask('runs.fail', { ...about, error, transient: true }, key)
      expect(await read(run)).toMatchObject({ status: 'queued', attempt: 2 })
      const late = { run_id: run.id, lease_token: first.lease_token, output: 'Late.' }
      expect(await world.refusal('runs.complete', late, key)).toMatchObject({ code: 'lease_lost' })
      await running.stop()
    })

    it('keeps its lease when what it brings does not fit', async () => {
      const run = await queue()
      const { lease_token } = await lease()
      const bring = (output: unknown) => ({ run_id: run.id, lease_token, output })
      const refusal = await world.refusal('runs.complete', bring(['x']), key)
      expect(refusal).toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/output' }] })
      // Of what an expression that goes back over every blank would never come to the end.
      const skills = await queue('skills')
      const taken = await lease()
      const about = { run_id: skills.id, lease_token: taken.lease_token }
      for (const output of [`\`\`\`json${' '.repeat(500_000)}x`, '['.repeat(300_000)]) {
        const unfit = await world.refusal('runs.complete', { ...about, output }, key)
        expect(unfit).toMatchObject({ code: 'invalid_input' })
      }
      const done = await world.ask('runs.complete', bring('A bio.'), key)
      expect(done).toMatchObject({ output: { field: 'bio', value: 'A bio.', applied: false } })
    })

    it('sets nothing going: no hook, no trigger, no post', async () => {
      const hooks = ['before_run', 'after_run', 'run.completed'].map((event) => ({
        event,
        action: 'memory:heard/it',
      }))
      await open({}, 'openai-compatible', { brain: { hooks } })
      const run = await queue()
      const { lease_token } = await lease()
      await world.ask('runs.complete', { run_id: run.id, lease_token, output: 'A bio.' }, key)
      expect(await store.events.count({})).toBe(0)
      expect(await store.posts.count({})).toBe(0)
    })

    it('is cancelled with its agent', async () => {
      const run = await queue()
      await world.ask('characters.delete', { char_id: id }, key)
      expect(await read(run)).toMatchObject({ status: 'cancelled', reason: 'character_deleted' })
    })

    it('is no run of any task', async () => {
      const run = await queue()
      const task = { task_id: 'null', name: 'Null' }
      await world.ask('tasks.create', { char_id: id, task }, key)
      for (const about of [{ task_id: 'null' }, { task_id: run.id }]) {
        const { items } = await world.ask<{ items: Run[] }>(
          'runs.list',
          { char_id: id, ...about },
          key,
        )
        expect(items).toEqual([])
      }
      const leased = await world.ask('runs.lease', { char_id: id, task_id: 'null' }, key)
      expect(leased).toMatchObject({ run: null, reason: 'none_waiting' })
    })
  })
})
