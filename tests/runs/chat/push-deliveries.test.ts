import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import type { Sender } from '#src/ports/sender.ts'
import { deliverer } from '#src/work/deliveries.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openStage, push, stateIn, type Stage } from './push-harness.ts'

describe.each(stores())('sending notifications on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let stage: Stage
  beforeEach(async () => {
    stage = await openStage(kind)
  })
  afterEach(() => stage.close())

  const target = (more: object = {}): object => ({ url: stage.receiver.url, ...more })
  const states = (path = '/push'): string[] =>
    stage.receiver.calls.filter((call) => call.path === path).map(stateIn)
  const rows = () => stage.store.deliveries.find({}, { sort: { push_seq: 1 } })
  /** Goes on to the next try that is owed. */
  const later = async (): Promise<void> => {
    const [next] = await stage.store.deliveries.find(
      { due_at: { $gt: '' } },
      { sort: { due_at: 1 }, limit: 1 },
    )
    const ms = Date.parse(next?.due_at ?? '') - stage.clock.now().getTime()
    await stage.clock.advance(Math.max(0, ms))
  }

  it('tries again after a failure, with the same bytes and id, and a time of its own', async () => {
    const { receiver } = stage
    receiver.answer = (response) => response.writeHead(500).end('no')
    await stage.message({ push: target() })
    await stage.deliver()
    expect(await rows()).toMatchObject([
      { status: 'pending', attempts: 1, error: 'The receiver answered 500.' },
    ])
    receiver.answer = (response) => response.writeHead(200).end()
    await later()
    await stage.deliver()
    expect(await rows()).toMatchObject([{ status: 'delivered', attempts: 2 }])
    const [first, second] = receiver.calls
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    const times = receiver.calls.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(times[1]).toBeGreaterThan(times[0] ?? 0)
  })

  it('sends a later state in the place of one that failed, which never comes after it', async () => {
    const { receiver } = stage
    receiver.answer = (response) => response.writeHead(503).end()
    await stage.message({ push: target({ version: '0.3' }) })
    await stage.deliver()
    receiver.answer = (response) => response.writeHead(200).end()
    await stage.think('done')
    await stage.deliver()
    for (let i = 0; i < 3; i += 1) {
      await stage.clock.advance(86_400_000)
      await stage.deliver()
    }
    expect(states()).toEqual(['submitted', 'working', 'completed'])
    expect((await rows()).map(({ status }) => status)).toEqual(['failed', 'delivered', 'delivered'])
  })

  it('tries to send the results of a task before its end, but not for ever', async () => {
    const { receiver } = stage
    receiver.answer = (response, { body }) =>
      response.writeHead(body.includes('artifactUpdate') ? 500 : 200).end()
    await stage.message({ push: target() })
    await stage.think('done')
    await stage.deliver()
    expect(states()).toEqual(['submitted', 'working', 'artifact'])
    for (let i = 0; i < 2; i += 1) {
      await later()
      await stage.deliver()
    }
    const artifacts = ['artifact', 'artifact', 'artifact']
    expect(states()).toEqual(['submitted', 'working', ...artifacts, 'completed'])
    await stage.clock.advance(86_400_000)
    await stage.deliver()
    expect(states()).toHaveLength(6)
  })

  it('sends those of a target one after the other, however slow it is', async () => {
    const { receiver } = stage
    const held: (() => void)[] = []
    receiver.answer = (response) => void held.push(() => response.writeHead(200).end())
    await stage.message({ push: target() })
    await stage.think('done')
    const two = [stage.deliverer(), stage.deliverer(await stage.another())]
    for (let i = 0; i < 4; i += 1) {
      for (const one of two) await one.tick()
      await until(() => receiver.calls.length === i + 1)
      // Neither deliverer takes another one while this is under way.
      for (const one of two) await one.tick()
      expect(receiver.calls).toHaveLength(i + 1)
      held[i]?.()
      const delivered = { status: 'delivered' } as const
      await until(async () => (await stage.store.deliveries.count(delivered)) === i + 1)
      // What found another under way is looked at again a little later.
      await until(async () => (await stage.store.deliveries.count({ claim: { $ne: null } })) === 0)
      await stage.clock.advance(60_000)
    }
    expect(states()).toEqual(['submitted', 'working', 'artifact', 'completed'])
  })

  it('lets no slow receiver hold up another', async () => {
    const { receiver } = stage
    const held: (() => void)[] = []
    receiver.answer = (response, { path }) =>
      path === '/slow'
        ? void held.push(() => response.writeHead(200).end())
        : response.writeHead(200).end()
    await stage.message({ push: target({ url: receiver.at('/slow') }) })
    await stage.message({ push: target() })
    await stage.think('one')
    await stage.think('two')
    const one = stage.deliverer()
    await until(async () => {
      await one.tick()
      return states().length === 4
    })
    expect(states()).toEqual(['submitted', 'working', 'artifact', 'completed'])
    expect(states('/slow')).toEqual(['submitted'])
    for (const answer of held) answer()
  })

  it('ends with a receiver that is gone, until the config is set again', async () => {
    const { receiver } = stage
    receiver.answer = (response) => response.writeHead(410).end()
    const { id: chat_id } = await stage.message({ push: target({ id: 'mine' }) })
    await stage.deliver()
    expect(await rows()).toMatchObject([{ status: 'disabled' }])
    receiver.answer = (response) => response.writeHead(200).end()
    await stage.made.ask('runs.lease', { char_id: 'ada' }, stage.owner.key)
    await stage.deliver()
    expect(states()).toEqual(['submitted'])
    await stage.serve(push.set, { chat_id, target: target({ id: 'mine' }) })
    await stage.made.ask('runs.cancel', { run_id: chat_id }, stage.owner.key)
    await stage.deliver()
    expect(states()).toEqual(['submitted', 'canceled'])
  })

  it('follows no redirect', async () => {
    const { receiver } = stage
    const elsewhere = receiver.at('/elsewhere')
    receiver.answer = (response) => response.writeHead(307, { location: elsewhere }).end()
    await stage.message({ push: target() })
    await stage.deliver()
    expect(states('/elsewhere')).toEqual([])
    expect(await rows()).toMatchObject([
      { status: 'pending', error: 'The receiver redirected; redirects are not followed.' },
    ])
  })

  it('waits as Retry-After asks', async () => {
    const { receiver, clock } = stage
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '120' }).end()
    await stage.message({ push: target() })
    await stage.deliver()
    const [row] = await rows()
    expect(Date.parse(row?.next_attempt_at ?? '') - clock.now().getTime()).toBe(120_000)
  })

  it('refuses a name that leads inside when the connection is made', async () => {
    const { port } = new URL(stage.receiver.origin)
    const inside: Sender = openSender({
      allow: [],
      userAgent: 'Abode/test',
      lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    await stage.message({ push: target({ url: `http://receiver.example:${port}/push` }) })
    await stage.deliver(await stage.another(inside))
    expect(stage.receiver.calls).toHaveLength(0)
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 1 }])
    await inside.close()
  })

  it('gives a receiver fifteen seconds', async () => {
    const asked: (number | undefined)[] = []
    const noting: Sender = {
      ...stage.guarded(),
      send: ({ timeoutMs }) => {
        asked.push(timeoutMs)
        return Promise.resolve({ status: 200, headers: {}, body: '' })
      },
    }
    await stage.message({ push: target() })
    await stage.deliver(await stage.another(noting))
    expect(asked).toEqual([15_000])
  })

  itOnEach('loses nothing when the process dies over it', async () => {
    const hanging: Sender = { ...stage.guarded(), send: () => new Promise(() => undefined) }
    await stage.message({ push: target() })
    await stage.think('done')
    // It never ends, as that of a process that is gone.
    const dead = await stage.another(hanging)
    expect(await deliverer(dead.ports, () => undefined).tick()).toBeGreaterThan(0)
    await stage.deliver()
    expect(states()).toEqual([])
    await stage.clock.advance(60_000)
    await stage.deliver()
    await stage.clock.advance(60_000)
    await stage.deliver()
    expect(states()).toEqual(['submitted', 'working', 'artifact', 'completed'])
  })

  it('ends what waits when the config is deleted', async () => {
    const { receiver } = stage
    receiver.answer = (response) => response.writeHead(500).end()
    const { id: chat_id } = await stage.message({ push: target({ id: 'mine' }) })
    await stage.deliver()
    await stage.serve(push.delete, { chat_id, id: 'mine' })
    await stage.think('done')
    await stage.clock.advance(86_400_000)
    await stage.deliver()
    expect(states()).toEqual(['submitted'])
    expect(await stage.store.deliveries.count({ status: 'pending' })).toBe(0)
  })

  it('sends what waits to the new address of a config', async () => {
    const { receiver } = stage
    receiver.answer = (response) => response.writeHead(500).end()
    const { id: chat_id } = await stage.message({ push: target({ id: 'mine' }) })
    await stage.deliver()
    receiver.answer = (response) => response.writeHead(200).end()
    const moved = target({ id: 'mine', url: receiver.at('/new') })
    await stage.serve(push.set, { chat_id, target: moved })
    await later()
    await stage.deliver()
    expect(states('/new')).toEqual(['submitted'])
    expect(states()).toEqual(['submitted'])
  })

  it('ends with the agent', async () => {
    const { receiver } = stage
    receiver.answer = (response) => response.writeHead(500).end()
    await stage.message({ push: target() })
    await stage.deliver()
    await stage.made.ask('characters.delete', { char_id: 'ada' }, stage.owner.key)
    await stage.clock.advance(86_400_000)
    await stage.deliver()
    expect(states()).toEqual(['submitted'])
    expect(await stage.store.push_targets.count({})).toBe(0)
    expect(await stage.store.deliveries.count({ status: 'pending' })).toBe(0)
  })
})
