import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Log } from '#src/ports/log.ts'
import type { Outbound, OutboundAnswer, Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, silent, type World } from '#tests/support/world.ts'
import { auditBytes } from '#tests/support/suite/audit-bytes.ts'

const marker = 'marker/value "secret-4711-of-ada"'
const token = 'ab_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab'

describe.each(stores())('secrets in runs on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let work: Work
  let key: string
  let asked: Outbound[]
  /** What the address answers. */
  let answers: (request: Outbound) => Promise<OutboundAnswer> | OutboundAnswer
  let logged: string[]

  beforeEach(async () => {
    store = await kind.open()
    asked = []
    logged = []
    answers = () => ({ status: 200, headers: {}, body: 'done' })
    const sender: Sender = {
      send: async (request) => {
        asked.push(request)
        return answers(request)
      },
      load: () => Promise.reject(new Error('only texts are sent here')),
      objection: () => undefined,
      close: () => Promise.resolve(),
    }
    const keep = (message: string, fields?: Record<string, unknown>): void => {
      const told = (cause: unknown): unknown =>
        cause instanceof Error ? [cause.message, cause.stack, told(cause.cause)] : cause
      logged.push(JSON.stringify([message, { ...fields, cause: told(fields?.cause) }]))
    }
    const log: Log = { ...silent, error: keep, warn: keep }
    world = openWorld(store, { sender, log })
    work = startWork(world.ports, ['runner'], 2)
    key = (await world.account()).key
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    await set('MARKER', marker)
  })
  afterEach(async () => {
    await work.stop()
    await store.close()
  })

  const set = (name: string, value: string | null): Promise<unknown> =>
    world.ask('characters.secrets.update', { char_id: 'ada', secrets: [{ name, value }] }, key)

  const task = (more: object): Promise<unknown> => {
    const whole = {
      task_id: 't',
      name: 'T',
      runtime: 'api',
      api_url: 'https://api.example/in',
      selected_secrets: ['MARKER', 'NOT_THERE'],
      tools: [
        { name: 'off', type: 'http', enabled: false, config: { headers: { 'X-Off': '1' } } },
        {
          name: 'call',
          type: 'http',
          config: {
            headers: { Authorization: 'Bearer {{secret.MARKER}}', 'X-Topic': '{{topic}}' },
          },
        },
        { name: 'second', type: 'http', config: { headers: { 'X-Second': '2' } } },
      ],
      variables: { topic: 'news' },
      ...more,
    }
    return world.ask('tasks.create', { char_id: 'ada', task: whole }, key)
  }
  const run = (more: object = {}): Promise<Run> =>
    world.ask('tasks.run', { char_id: 'ada', task_id: 't', wait_seconds: 60, ...more }, key)

  /** Everything that is stored, as text. */
  const stored = async (): Promise<string> => {
    const texts: string[] = []
    for (const name of [
      'runs',
      'run_events',
      'tasks',
      'characters',
      'messages',
      'secrets',
    ] as const) {
      texts.push(JSON.stringify(await store[name].find({})))
    }
    return texts.join('\n')
  }
  const isNowhere = async (value: string): Promise<void> => {
    const all = (await stored()) + logged.join('\n')
    expect(all).not.toContain(value)
    expect(all).not.toContain(JSON.stringify(value).slice(1, -1))
    expect(all).not.toContain(JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1))
  }

  it('are sent in the headers of the first enabled http tool, and in nothing else', async () => {
    await task({})
    expect(await run()).toMatchObject({ status: 'completed', output: 'done' })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${marker}`,
      'x-topic': 'news',
    })
    expect(asked[0]?.headers).not.toHaveProperty('x-off')
    expect(asked[0]?.headers).not.toHaveProperty('x-second')
    expect(asked[0]?.url).not.toContain('marker')
    expect(asked[0]?.body).not.toContain('marker')
    await isNowhere(marker)
  })

  it('that stand in a header themselves are sealed, sent, and taken out of what comes back', async () => {
    const headers = { Authorization: `Bearer ${marker}`, 'X-Topic': '{{topic}}' }
    await task({ tools: [{ name: 'call', type: 'http', config: { headers } }] })
    answers = () => ({ status: 200, headers: {}, body: `You sent ${marker}` })
    expect(await run()).toMatchObject({ status: 'completed', output: 'You sent [secret]' })
    expect(asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${marker}`,
      'x-topic': 'news',
    })
    await isNowhere(marker)
  })

  it('are taken out of what comes back, text or JSON', async () => {
    await task({})
    answers = ({ headers }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ saw: [headers, `key ${token}`], [marker]: 1 }),
    })
    const ended = await run()
    expect(ended).toMatchObject({ status: 'completed' })
    expect(ended.output).toMatchObject({
      saw: [{ authorization: 'Bearer [secret]' }, 'key [secret]'],
      '[secret]': 1,
    })
    await isNowhere(marker)
    await isNowhere(token)
  })

  it('are taken out of what is handed on', async () => {
    await world.ask('characters.create', { character: { id: 'bob', name: 'Bob' } }, key)
    await task({ output_sharing: { enabled: true, target_agent_id: 'bob' } })
    answers = () => ({ status: 200, headers: {}, body: `it was ${marker}` })
    expect(await run()).toMatchObject({ output: 'it was [secret]' })
    const { items } = await world.ask<{ items: { body: string }[] }>(
      'messages.list',
      { char_id: 'bob' },
      key,
    )
    expect(items).toMatchObject([{ body: 'it was [secret]' }])
    await isNowhere(marker)
  })

  it('are taken out also when they were changed while the run was under way', async () => {
    await task({})
    answers = async () => {
      await set('MARKER', 'another value')
      return { status: 200, headers: {}, body: `${marker} of then` }
    }
    expect(await run()).toMatchObject({ output: '[secret] of then' })
    await isNowhere(marker)
    answers = ({ headers }) => ({ status: 200, headers: {}, body: headers?.authorization ?? '' })
    expect(await run()).toMatchObject({ output: 'Bearer [secret]' })
    expect(asked.at(-1)?.headers?.authorization).toBe('Bearer another value')
  })

  it('are in no error and in no line of the log', async () => {
    await task({})
    answers = () => {
      throw new Error(`cannot send ${marker}`, { cause: new Error(`because of ${marker}`) })
    }
    expect(await run()).toMatchObject({ status: 'failed', error: { code: 'internal_error' } })
    expect(logged.join('\n')).toContain('cannot send [secret]')
    await isNowhere(marker)
  })

  it('are given to no task that does not select them', async () => {
    await task({ selected_secrets: [] })
    expect(await run()).toMatchObject({ status: 'failed', error: { code: 'secret_missing' } })
    expect(asked).toEqual([])
  })

  it('are given to no other agent', async () => {
    await world.ask('characters.create', { character: { id: 'bob', name: 'Bob' } }, key)
    const headers = { a: '{{secret.MARKER}}' }
    const other = {
      task_id: 't',
      name: 'T',
      runtime: 'api',
      api_url: 'https://api.example/',
      selected_secrets: ['MARKER'],
      tools: [{ name: 'h', type: 'http', config: { headers } }],
    }
    await world.ask('tasks.create', { char_id: 'bob', task: other }, key)
    expect(await run({ char_id: 'bob' })).toMatchObject({ error: { code: 'secret_missing' } })
    expect(asked).toEqual([])
  })

  it('are not sent to an address that a caller may choose', async () => {
    for (const api_url of ['{{input}}', 'https://{{input}}/x', 'https://a.example{{input}}/']) {
      await task({ api_url })
      expect(await run({ input: 'https://evil.example' })).toMatchObject({
        status: 'failed',
        error: { code: 'api_url_open' },
      })
      await world.ask('tasks.delete', { char_id: 'ada', task_id: 't' }, key)
    }
    await task({ api_url: 'https://api.example/{{input}}' })
    expect(await run({ input: 'a/b' })).toMatchObject({ status: 'completed' })
    expect(asked.map(({ url }) => url)).toEqual(['https://api.example/a/b'])
  })

  it('fail the run where they can stand in no header, without being told', async () => {
    await set('MARKER', 'two\nlines secret-4711-of-ada')
    await task({})
    const ended = await run()
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'api_header_invalid' } })
    expect(ended.error?.message).toContain('"Authorization"')
    expect(ended.error?.message).not.toContain('secret-4711-of-ada')
    expect(asked).toEqual([])
  })

  it('have no place in a prompt', async () => {
    await task({ runtime: 'template', prompt: '{{secret.MARKER}}' })
    expect(await run()).toMatchObject({ status: 'failed', error: { code: 'secret_in_prompt' } })
  })

  it('are taken out of a template that its caller filled with one', async () => {
    await task({ runtime: 'template', prompt: 'It is {{input}}' })
    expect(await run({ input: marker })).toMatchObject({ output: 'It is [secret]' })
  })

  it('of the service are taken out of what ends at once, of a task that selects none too', async () => {
    await task({ runtime: 'template', prompt: 'It is {{input}}', selected_secrets: [] })
    expect(await run({ input: token })).toMatchObject({ output: 'It is [secret]' })
    expect(await store.posts.find({})).toMatchObject([{ content: 'It is [secret]' }])
  })

  it('are not told to the brain that leases a run, and taken out of what it brings', async () => {
    await task({ runtime: 'prompt', prompt: 'Do it' })
    await run({ wait_seconds: 0 })
    type Lease = { run: Run; lease_token: string }
    const lease = await world.ask<Lease>('runs.lease', {}, key)
    expect(JSON.stringify(lease)).not.toContain('secret-4711-of-ada')
    const held = { run_id: lease.run.id, lease_token: lease.lease_token }
    const artifacts = [{ name: `a ${marker}`, content: `${marker} ${token}` }]
    const output = { guessed: marker, mine: lease.lease_token }
    const ended = await world.ask<Run>('runs.complete', { ...held, output, artifacts }, key)
    expect(ended).toMatchObject({
      output: { guessed: '[secret]', mine: '[secret]' },
      artifacts: [{ name: 'a [secret]', content: '[secret] [secret]' }],
    })
    await run({ wait_seconds: 0 })
    const second = await world.ask<Lease>('runs.lease', {}, key)
    const again = { run_id: second.run.id, lease_token: second.lease_token }
    const error = { code: 'stuck', message: `stuck at ${marker}` }
    expect(await world.ask('runs.fail', { ...again, error }, key)).toMatchObject({
      error: { message: 'stuck at [secret]' },
    })
    await isNowhere(marker)
  })

  it('that cannot be opened end the run, and are told to no one', async () => {
    await task({})
    await store.secrets.update({ id: 'ada' }, { $set: { data_key: 'AAAA' } })
    expect(await run()).toMatchObject({ status: 'failed', error: { code: 'internal_error' } })
    expect(asked).toEqual([])
  })

  itOnEach('are set by many at once, each change whole', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `AT_ONCE_${10 + i}`)
    await world.ask('characters.create', { character: { id: 'new', name: 'New' } }, key)
    await Promise.all(
      names.map((name) =>
        world.ask(
          'characters.secrets.update',
          { char_id: 'new', secrets: [{ name, value: 'x' }] },
          key,
        ),
      ),
    )
    const { items } = await world.ask<{ items: { name: string }[] }>(
      'characters.secrets.list',
      { char_id: 'new' },
      key,
    )
    expect(items.map(({ name }) => name)).toEqual(names)
  })

  it('count as stored bytes, and no longer when the agent has gone', async () => {
    const bytes = async (): Promise<number> => {
      type Account = { quotas: { name: string; used: number }[] }
      const { quotas } = await world.ask<Account>('account.get', {}, key)
      const used = quotas.find(({ name }) => name === 'stored_bytes')?.used ?? 0
      return used - (await auditBytes(store))
    }
    // Bytes counted in memory are written in the background, and soon read with the rest.
    const comesTo = async (holds: (now: number) => boolean): Promise<void> => {
      await expect.poll(async () => holds(await bytes()), { timeout: 120_000 }).toBe(true)
    }
    const before = await bytes()
    await world.ask('characters.create', { character: { id: 'big', name: 'Big' } }, key)
    const one = [{ name: 'A', value: 'x'.repeat(8000) }]
    await world.ask('characters.secrets.update', { char_id: 'big', secrets: one }, key)
    await comesTo((now) => now > before + 8000)
    const change = (i: number): Promise<unknown> => {
      const character = { bio: `${i}`.padEnd(1000, '.') }
      return world.ask('characters.update', { char_id: 'big', character }, key)
    }
    for (let i = 0; i < 60; i++) await change(i)
    await comesTo((now) => now > before + 50_000)
    const full = await bytes()
    await change(60)
    // One more has come, and the oldest of the same length has gone.
    expect(Math.abs((await bytes()) - full)).toBeLessThan(100)
    await world.ask('characters.delete', { char_id: 'big' }, key)
    await comesTo((now) => Math.abs(now - before) < 500)
  })

  it('named in a header but not selected are warned of', async () => {
    expect(await task({ selected_secrets: [] })).toMatchObject({
      warnings: [{ code: 'secret_not_selected', pointer: '/tools/1/config/headers/Authorization' }],
    })
  })
})
