import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listeningBounds } from '#protocol/mcp/listener-bounds.ts'
import { streamBounds, Streams } from '#src/core/admission/streams.ts'
import { smallDoor } from '../mcp-harness.ts'
import { legacy, messageOf, modern } from '../mcp-requests.ts'
import { by, Reading, served, type Note, type Served } from './served.ts'

const bounds = { ...listeningBounds, resources: 3, lookAgainMs: 50 }
const three = { claimed: 3, unclaimed: 3 }
const streams = () => new Streams({ ...streamBounds, account: three, credential: three })
let place: Served
let key: string
let stranger: string
const leaving = new Set<AbortController>()

beforeAll(async () => {
  place = await served({ listening: bounds, streams: streams() })
  key = (await place.world.account()).key
  stranger = (await place.world.account()).key
  const heart = { tasks: [{ task_id: 'think', name: 'Think', prompt: 'Think of {{input}}' }] }
  for (const id of ['ada', 'bob']) {
    await place.world.ask('characters.create', { character: { id, name: id, heart } }, key)
  }
})
afterEach(() => {
  for (const controller of leaving) controller.abort()
  leaving.clear()
})
afterAll(() => place.close())

async function queued(charId = 'ada'): Promise<string> {
  const input = { char_id: charId, task_id: 'think', input: 'x' }
  return (await place.world.ask<{ id: string }>('tasks.run', input, key)).id
}

async function cancelled(runId: string): Promise<void> {
  await place.world.ask('runs.cancel', { run_id: runId }, key)
}

function uri(runId: string): string {
  return `abode://runs/${runId}`
}

async function listen(uris: readonly unknown[], as: string | null = key, more: object = {}) {
  const controller = new AbortController()
  leaving.add(controller)
  const notifications = { resourceSubscriptions: uris, ...more }
  const sent = modern(
    'subscriptions/listen',
    { notifications },
    { ...by(as ?? undefined), signal: controller.signal },
  )
  const answer = await place.handle(sent)
  return { answer, reading: new Reading(answer), leave: () => controller.abort() }
}

const honoured = ({ params }: Note): unknown => params?.['notifications']

describe('a listener to a run', () => {
  test('is told when it changes, and that it is over when the run is', async () => {
    const run = await queued()
    const { answer, reading } = await listen([uri(run)])
    expect(answer).toMatchObject({ status: 200 })
    const first = await reading.next()
    expect(first).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    expect(honoured(first)).toEqual({ resourceSubscriptions: [uri(run)] })
    const { world } = place
    const lease = await world.ask<{ lease_token: string }>('runs.lease', { char_id: 'ada' }, key)
    expect(await reading.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: uri(run), _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } },
    })
    const { lease_token } = lease
    await world.ask('runs.complete', { run_id: run, lease_token, output: 'done' }, key)
    const rest = await reading.rest()
    expect(rest.at(-2)).toMatchObject({ method: 'notifications/resources/updated' })
    expect(rest.at(-1)).toMatchObject({ id: 7, result: { resultType: 'complete' } })
    const read = await messageOf(
      await place.handle(modern('resources/read', { uri: uri(run) }, by(key))),
    )
    expect(JSON.stringify(read.result)).toContain('\\"status\\":\\"completed\\"')
  })

  test('is told nothing of other runs, and of each run of several', async () => {
    const [one, two, other] = [await queued(), await queued('bob'), await queued()]
    const { reading } = await listen([uri(one), uri(two), uri(one)])
    expect(honoured(await reading.next())).toEqual({ resourceSubscriptions: [uri(one), uri(two)] })
    for (const run of [other, two, one]) await cancelled(run)
    const told = (await reading.rest()).flatMap(({ params }) => params?.['uri'] ?? [])
    expect(new Set(told)).toEqual(new Set([uri(one), uri(two)]))
  })

  test('of which all have ended already is told so at once', async () => {
    const run = await queued()
    await cancelled(run)
    const { reading } = await listen([uri(run)])
    await reading.next()
    expect((await reading.rest()).at(-1)).toMatchObject({ id: 7, result: {} })
  })

  test('may stop, and leaves no waiter behind', async () => {
    const run = await queued()
    const waiters = () => place.world.ports.waiting.keys().includes(run)
    const { reading, leave } = await listen([uri(run)])
    await reading.next()
    await expect.poll(waiters).toBe(true)
    leave()
    await expect.poll(waiters).toBe(false)
    expect(await reading.rest()).toEqual([])
    await cancelled(run)
  })
})

test('runs are listened to without being read whole', async () => {
  const runs = [await queued(), await queued('bob')]
  const { store } = place.world.ports
  const read: string[] = []
  const get = store.runs.get.bind(store.runs)
  const text = store.runs.text.bind(store.runs)
  store.runs.get = (...asked) => {
    read.push('get')
    return get(...asked)
  }
  store.runs.text = (...asked) => {
    read.push('text')
    return text(...asked)
  }
  const { reading, leave } = await listen(runs.map(uri))
  expect(honoured(await reading.next())).toEqual({ resourceSubscriptions: runs.map(uri) })
  const isFollowed = (run: string) => place.world.ports.waiting.keys().includes(run)
  await expect.poll(() => runs.every(isFollowed)).toBe(true)
  expect(read).toEqual([])
  Object.assign(store.runs, { get, text })
  leave()
  for (const run of runs) await cancelled(run)
})

describe('no one can listen to', () => {
  test.each([
    ['a run of another account', async () => uri(await queued()), () => stranger],
    ['a run without a key', async () => uri(await queued()), () => null],
    ['a run that does not exist', async () => uri('run_none'), () => key],
    ['a broken address', async () => 'abode://runs/%zz', () => key],
    ['another resource', async () => 'abode://characters/ada', () => key],
    ['another scheme', async () => 'https://example.com/', () => key],
  ])('%s', async (_, address, as) => {
    const { reading } = await listen([await address()], as())
    const first = await reading.next()
    expect(JSON.stringify(honoured(first) ?? {})).not.toContain('//')
    expect((await reading.rest()).at(-1)).toMatchObject({ id: 7, result: {} })
  })

  test('a run of another agent, by a key that acts as one', async () => {
    const [own, other] = [await queued('ada'), await queued('bob')]
    const scoped = await place.world.ask<{ key: string }>(
      'api_keys.create',
      { name: 'Ada', scope_char_id: 'ada' },
      key,
    )
    const { reading } = await listen([uri(own), uri(other)], scoped.key)
    expect(honoured(await reading.next())).toEqual({ resourceSubscriptions: [uri(own)] })
  })

  test('lists, which do not change', async () => {
    const { reading } = await listen([], key, { toolsListChanged: true })
    expect(honoured(await reading.next())).toEqual({})
    expect((await reading.rest()).at(-1)).toMatchObject({ id: 7 })
  })

  test('more runs than one stream holds', async () => {
    const runs = await Promise.all([queued(), queued(), queued(), queued()])
    const { reading } = await listen(runs.map(uri))
    expect(honoured(await reading.next())).toEqual({
      resourceSubscriptions: runs.slice(0, 3).map(uri),
    })
  })
})

describe('a stream ends', () => {
  test('with its key, whether or not anything happens', async () => {
    const made = await place.world.ask<{ id: string; key: string }>(
      'api_keys.create',
      { name: 'Short' },
      key,
    )
    const run = await queued()
    const { reading } = await listen([uri(run)], made.key)
    await reading.next()
    await place.world.ask('api_keys.revoke', { key_id: made.id }, key)
    const rest = await reading.rest()
    expect(rest).toHaveLength(1)
    expect(rest[0]).toMatchObject({ id: 7, result: {} })
  })

  test('after its time', async () => {
    const brief = await served({ listening: { ...bounds, milliseconds: 30 }, streams: streams() })
    const account = await brief.world.account()
    const heart = { tasks: [{ task_id: 't', name: 'T', prompt: 'x' }] }
    const character = { id: 'ada', name: 'Ada', heart }
    await brief.world.ask('characters.create', { character }, account.key)
    const input = { char_id: 'ada', task_id: 't' }
    const { id } = await brief.world.ask<{ id: string }>('tasks.run', input, account.key)
    const notifications = { resourceSubscriptions: [uri(id)] }
    const sent = modern('subscriptions/listen', { notifications }, by(account.key))
    const rest = await new Reading(await brief.handle(sent)).rest()
    expect(rest.at(-1)).toMatchObject({ id: 7, result: {} })
    await brief.close()
  })

  test('with the door', async () => {
    const closing = await served()
    const account = await closing.world.account()
    const heart = { tasks: [{ task_id: 't', name: 'T', prompt: 'x' }] }
    const character = { id: 'ada', name: 'Ada', heart }
    await closing.world.ask('characters.create', { character }, account.key)
    const input = { char_id: 'ada', task_id: 't' }
    const { id } = await closing.world.ask<{ id: string }>('tasks.run', input, account.key)
    const notifications = { resourceSubscriptions: [uri(id)] }
    const sent = modern('subscriptions/listen', { notifications }, by(account.key))
    const reading = new Reading(await closing.handle(sent))
    await reading.next()
    await closing.close()
    expect((await reading.rest()).at(-1)).toMatchObject({ id: 7, result: {} })
  })
})

test('a stream ends with the door, also while it is still being opened', async () => {
  const run = await queued()
  const { core } = place.world
  const door = smallDoor({
    ...core,
    async serve(call) {
      const outcome = await core.serve(call)
      if (call.operation.name === 'runs.standings') await door.close()
      return outcome
    },
  })
  const notifications = { resourceSubscriptions: [uri(run)] }
  const answer = await door.handle(modern('subscriptions/listen', { notifications }, by(key)))
  expect((await new Reading(answer).rest()).at(-1)).toMatchObject({ id: 7 })
})

test('an account has so many streams at once, and another account its own', async () => {
  const run = await queued()
  const open = await Promise.all([1, 2, 3].map(() => listen([uri(run)])))
  for (const { reading } of open) await reading.next()
  const refused = await messageOf((await listen([uri(run)])).answer)
  expect(refused).toMatchObject({ id: 7, error: { code: 429, data: { code: 'rate_limited' } } })
  const theirs = await listen([uri(run)], stranger)
  expect(await theirs.reading.next()).toHaveProperty('method')
  open[0]?.leave()
  await expect
    .poll(async () => (await listen([uri(run)])).reading.next().then(({ method }) => method))
    .toBe('notifications/subscriptions/acknowledged')
})

describe('that runs can be listened to', () => {
  test('is told to clients of the present alone', async () => {
    const { result } = await messageOf(await place.handle(modern('server/discover', {}, by(key))))
    expect(result).toMatchObject({ capabilities: { resources: { subscribe: true } } })
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }
    const past = await messageOf(await place.handle(legacy('initialize', params, by(key))))
    expect(past.result).toHaveProperty('capabilities.resources', {})
  })

  test.each([
    ['nothing', {}],
    ['no list', { notifications: { resourceSubscriptions: 'x' } }],
    ['a list of numbers', { notifications: { resourceSubscriptions: [7] } }],
  ])('is refused where %s is asked for', async (_, params) => {
    const answer = await place.handle(modern('subscriptions/listen', params, by(key)))
    expect(await messageOf(answer)).toMatchObject({ id: 7, error: { code: -32602 } })
  })
})
