import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const secret = 'a secret of the tests'
const hex = (text: string): string => createHmac('sha256', secret).update(text).digest('hex')

interface Told {
  code: string
  pointer: string
}

interface Answered {
  answer?: { runs: string[]; challenge?: string }
  code?: string
}

describe.each(stores())('a webhook that knows its sender, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: OpenedStore
  let clock: FakeClock
  let world: World
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    world = openWorld(store, { clock })
    key = (await world.account()).key
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  })
  afterEach(() => store.close())

  const task = (task_id: string, config: object) =>
    world.ask<{ triggers: object[]; warnings?: { code: string; pointer: string }[] }>(
      'tasks.create',
      {
        char_id: 'ada',
        task: {
          task_id,
          name: task_id,
          runtime: 'template',
          prompt: '{{input}}',
          triggers: [{ type: 'webhook', config: { path: 'in', ...config } }],
        },
      },
      key,
    )
  const call = async (body: unknown, sent: object = {}): Promise<Answered> => {
    const operation = world.core.catalog.find(({ name }) => name === 'hooks.receive')
    if (!operation) throw new Error('there is no operation')
    const input = { char_id: 'ada', path: 'in', body, ...sent }
    const bytes = Buffer.from(JSON.stringify(body))
    const at = { address: '192.0.2.0', credential: undefined, requestId: 'test' }
    const { answer, refusal } = await world.core.serve({ operation, input, bytes, ...at })
    if (refusal) return { code: refusal.code }
    return { answer: JSON.parse(answer.text) as NonNullable<Answered['answer']> }
  }
  const runs = async (): Promise<number> => store.runs.count({ char_id: 'ada' })
  const seconds = (): string => String(Math.floor(clock.now().getTime() / 1000))

  const sentBy: Record<string, (body: unknown, id: string) => object> = {
    github: (body) => ({ hub_signature: `sha256=${hex(JSON.stringify(body))}` }),
    stripe: (body) => ({
      stripe_signature: `t=${seconds()},v1=${hex(`${seconds()}.${JSON.stringify(body)}`)}`,
    }),
    slack: (body) => ({
      slack_timestamp: seconds(),
      slack_signature: `v0=${hex(`v0:${seconds()}:${JSON.stringify(body)}`)}`,
    }),
    standard: (body, id) => ({
      webhook_id: id,
      webhook_timestamp: seconds(),
      webhook_signature: `v1,${Buffer.from(hex(`${id}.${seconds()}.${JSON.stringify(body)}`), 'hex').toString('base64')}`,
    }),
  }

  describe.each(Object.keys(sentBy))('%s', (verify) => {
    const sign = (body: unknown, id = 'msg_1') => sentBy[verify]?.(body, id) ?? {}

    beforeEach(async () => {
      const { triggers } = await task('t', { verify, secret })
      expect(triggers).toMatchObject([{ config: { verify, secret: '***' } }])
    })

    it('starts runs for its own calls, whose words are still those of others', async () => {
      const { answer } = await call({ n: 1 }, sign({ n: 1 }))
      const run = await world.ask('runs.get', { run_id: answer?.runs[0] }, key)
      expect(run).toMatchObject({ input: { n: 1 }, untrusted: true, source: { kind: 'webhook' } })
    })

    it('starts nothing for others', async () => {
      const other = sign({ n: 2 })
      const service = { signature: hex(JSON.stringify({ n: 1 })) }
      for (const sent of [{}, other, service, { stripe_signature: 't=,v1=' }]) {
        expect(await call({ n: 1 }, sent)).toEqual({ code: 'signature_invalid' })
      }
      expect(await runs()).toBe(0)
    })

    itOnEach('runs nothing twice where a call comes again, at once or later', async () => {
      const sent = sign({ n: 1 })
      const all = await Promise.all([1, 2, 3, 4].map(() => call({ n: 1 }, sent)))
      const first = all[0]?.answer
      expect(all).toEqual(all.map(() => ({ answer: first })))
      await clock.advance(200_000)
      expect(await call({ n: 1 }, sent)).toEqual({ answer: first })
      expect(await runs()).toBe(1)
      const next = await call({ n: 2 }, sign({ n: 2 }, 'msg_2'))
      expect(next.answer?.runs).not.toEqual(first?.runs)
      expect(await runs()).toBe(2)
      expect(await store.hook_calls.count({})).toBe(2)
    })

    it('is forgotten after a day', async () => {
      await call({ n: 1 }, sign({ n: 1 }))
      await clock.advance(86_500_000)
      await upkeep(world.ports, clock.now())
      expect(await store.hook_calls.count({})).toBe(0)
    })
  })

  it('of Slack is answered what it asks for when it is set up, and nothing runs', async () => {
    await task('t', { verify: 'slack', secret })
    const body = { type: 'url_verification', challenge: 'said again' }
    expect(await call(body)).toEqual({ code: 'signature_invalid' })
    const sent = sentBy['slack']?.(body, '')
    expect(await call(body, sent)).toEqual({ answer: { runs: [], challenge: 'said again' } })
    expect(await runs()).toBe(0)
  })

  it.each([
    ['a sender that is not known', { verify: 'gitea', secret }, '/triggers/0/config/verify'],
    ['no secret', { verify: 'github' }, '/triggers/0/config/secret'],
    [
      'a secret without bytes',
      { verify: 'standard', secret: 'whsec_' },
      '/triggers/0/config/secret',
    ],
    ['one that is no base64', { secret: 'whsec_!' }, '/triggers/0/config/secret'],
  ])('is closed with %s, and tells so when it is written', async (_, config, pointer) => {
    const { warnings } = await task('t', config)
    expect(warnings?.map((warning) => warning.pointer)).toContain(pointer)
    for (const sent of [{}, sentBy['github']?.({ n: 1 }, ''), { signature: hex('{"n":1}') }]) {
      expect(await call({ n: 1 }, sent)).toEqual({ code: 'signature_invalid' })
    }
    expect(await runs()).toBe(0)
  })

  it('tells of a secret without bytes on every way that it is written', async () => {
    const closed = { path: 'in', verify: 'standard', secret: 'whsec_' }
    const one = { task_id: 't', name: 'T', triggers: [{ type: 'webhook', config: closed }] }
    const channel = {
      name: 'ops',
      type: 'webhook',
      config: { url: 'https://x.example/', secret: 'whsec_' },
    }
    const agent = { name: 'Bea', control: { channels: [channel] }, heart: { tasks: [one] } }
    const manifest = {
      manifest_version: 1,
      app_id: 'desk',
      name: 'Desk',
      agents: [{ ...agent, local_id: 'b' }],
      webhook: { url: 'https://x.example/', secret: 'whsec_' },
    }
    await task('u', {})
    const sent: [string, object][] = [
      ['tasks.create', { char_id: 'ada', task: one }],
      ['tasks.update', { char_id: 'ada', task_id: 'u', task: { triggers: one.triggers } }],
      ['characters.create', { character: { id: 'bea', ...agent } }],
      [
        'characters.update',
        { char_id: 'ada', character: { control: agent.control, heart: agent.heart } },
      ],
      ['agent_apps.validate', { manifest }],
      ['agent_apps.provision', { manifest }],
      ['agent_apps.plan', { app_id: 'desk', manifest }],
      ['agent_apps.update', { app_id: 'desk', manifest }],
    ]
    const told = new Map<string, string[]>()
    for (const [name, input] of sent) {
      const answer = await world.ask<{ warnings?: Told[]; findings?: Told[] }>(name, input, key)
      const all = [...(answer.findings ?? []), ...(answer.warnings ?? [])]
      told.set(
        name,
        all.map(({ code, pointer }) => `${code} ${pointer}`),
      )
    }
    const hook = 'hook_closed /triggers/0/config/secret'
    const agents = [
      'hook_closed /heart/tasks/0/triggers/0/config/secret',
      'secret_empty /control/channels/0/config/secret',
    ]
    const app = [
      'hook_closed /agents/0/heart/tasks/0/triggers/0/config/secret',
      'secret_empty /agents/0/control/channels/0/config/secret',
      'secret_empty /webhook/secret',
    ]
    expect(Object.fromEntries(told)).toEqual({
      'tasks.create': expect.arrayContaining([hook]),
      'tasks.update': expect.arrayContaining([hook]),
      'characters.create': expect.arrayContaining(agents),
      'characters.update': expect.arrayContaining(agents),
      'agent_apps.validate': expect.arrayContaining(app),
      'agent_apps.plan': expect.arrayContaining(app),
      'agent_apps.provision': expect.arrayContaining(app),
      'agent_apps.update': expect.arrayContaining(app),
    })
  })

  it('is refused where its sender is no text', async () => {
    const triggers = [{ type: 'webhook', config: { path: 'in', verify: 7, secret } }]
    const refused = { char_id: 'ada', task: { task_id: 't', name: 'T', triggers } }
    const { errors } = await world.refusal('tasks.create', refused, key)
    expect(errors).toMatchObject([{ pointer: '/task/triggers/0/config/verify' }])
  })

  it('starts each task at its address by what that one asks for', async () => {
    await task('a', { verify: 'github', secret })
    await task('b', { secret })
    const body = { n: 1 }
    const github = sentBy['github']?.(body, '') ?? {}
    const service = { signature: hex(JSON.stringify(body)) }
    expect((await call(body, github)).answer?.runs).toHaveLength(1)
    const both = (await call(body, { ...github, ...service })).answer?.runs
    expect(both).toHaveLength(2)
    expect(await runs()).toBe(2)
  })
})
