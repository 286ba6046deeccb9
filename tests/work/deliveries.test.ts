import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it as itOnEach, vi } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { openSender } from '#adapters/sender/fetch.ts'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import type { Delivery } from '#src/events/outbox/delivery.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'
import { jitterPart, tryAfterSeconds } from '#src/events/outbox/retry-schedule.ts'
import type { Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import { deliverer, type Deliverer } from '#src/work/deliveries.ts'
import { runner } from '#src/work/runner.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

interface Call {
  headers: IncomingMessage['headers']
  body: string
  at: number
}

/** A receiver that keeps what it is sent, and answers as it is told. */
interface Receiver extends WebServer {
  url: string
  calls: Call[]
  answer: (response: ServerResponse, call: Call) => unknown
}

async function startReceiver(clock: FakeClock): Promise<Receiver> {
  const server = await startWebServer()
  const receiver: Receiver = {
    ...server,
    url: '',
    calls: [],
    answer: (response) => response.writeHead(204).end(),
  }
  receiver.url = server.on('/hook', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks).toString()
    const call = { headers: request.headers, body, at: clock.now().getTime() }
    receiver.calls.push(call)
    receiver.answer(response, call)
  })
  return receiver
}

/** What the library of the standard reads of a call, at the time it was made. */
function verified(call: Call | undefined, secret: string): unknown {
  if (!call) throw new Error('nothing was called')
  const { headers, body, at } = call
  const webhook = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(secret, { format: 'raw' })
  const text = (name: string): string => String(headers[name])
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  try {
    return webhook.verify(body, {
      'webhook-id': text('webhook-id'),
      'webhook-timestamp': text('webhook-timestamp'),
      'webhook-signature': text('webhook-signature'),
    })
  } finally {
    vi.useRealTimers()
  }
}

describe.each(stores())('deliveries on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let place: Place
  let store: Store
  let clock: FakeClock
  let receiver: Receiver
  let key: string
  const working: Deliverer[] = []
  const opened: Store[] = []

  const reopen = async (): Promise<Store> => {
    const real = await place.open()
    opened.push(real)
    // The store's clock is the test's.
    return {
      ...real,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
  }

  beforeEach(async () => {
    place = await kind.place()
    clock = fakeClock()
    store = await reopen()
    receiver = await startReceiver(clock)
  })
  afterEach(async () => {
    await Promise.all(working.splice(0).map((one) => one.stop()))
    await Promise.all(opened.splice(0).map((one) => one.close()))
    receiver.close()
    await place.remove()
  })

  const guarded = (): Sender => openSender({ allow: [receiver.origin], userAgent: 'Abode/test' })
  const world = (sender: Sender = guarded(), on: Store = store): World =>
    openWorld(on, { clock, sender })

  /** Sends everything that is due, and waits for how it went. */
  const sending = (made: World) => {
    let ended = 0
    const one = deliverer(made.ports, () => void (ended += 1))
    working.push(one)
    return {
      one,
      async all(): Promise<void> {
        for (;;) {
          const before = ended
          const taken = await one.tick()
          if (taken === 0) return
          await until(() => ended >= before + taken)
        }
      },
    }
  }

  const manifest = (webhook: object = {}): object => ({
    manifest_version: 1,
    app_id: 'desk',
    name: 'Desk',
    agents: [
      {
        local_id: 'a',
        name: 'A',
        brain: { system_prompt_override: 'marker-prompt' },
        heart: { tasks: [{ task_id: 't', name: 'T', prompt: 'marker-prompt' }] },
      },
    ],
    webhook: { url: receiver.url, secret: 'marker-secret', ...webhook },
  })
  const provisioned = async (made: World, webhook: object = {}): Promise<void> => {
    key = (await made.account()).key
    await made.ask('agent_apps.provision', { manifest: manifest(webhook) }, key)
  }
  const deliveries = async (made: World): Promise<Delivery[]> => {
    const list = { app_id: 'desk', limit: 100 }
    return (await made.ask<{ items: Delivery[] }>('agent_apps.deliveries.list', list, key)).items
  }
  const only = async (made: World): Promise<Delivery> => {
    const [one, ...others] = await deliveries(made)
    if (!one || others.length > 0) throw new Error('there is not exactly one delivery')
    return one
  }
  const advanceTo = (at: string | null | undefined, beyondMs = 0): Promise<void> =>
    clock.advance(Date.parse(at ?? '') - clock.now().getTime() + beyondMs)

  it('tells a webhook of a provision, signed in both ways', async () => {
    const made = world()
    await provisioned(made)
    await sending(made).all()
    const [call] = receiver.calls
    const event = verified(call, 'marker-secret')
    expect(event).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      type: 'agent_app.provisioned',
      timestamp: clock.now().toISOString(),
      api_version: '1.0',
      data: {
        app_id: 'desk',
        name: 'Desk',
        owner_id: expect.stringMatching(/^acc_/),
        manifest_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        agents: [{ local_id: 'a', id: 'desk--a' }],
        team: null,
        warnings: [],
        actor: expect.stringMatching(/^key_/),
      },
    })
    const hex = createHmac('sha256', 'marker-secret')
      .update(call?.body ?? '')
      .digest('hex')
    expect(call?.headers).toMatchObject({
      'x-service-signature': hex,
      'content-type': 'application/json',
      'user-agent': 'Abode/test',
      'webhook-id': JSON.parse(call?.body ?? '{}').id,
    })
    expect(call?.body).not.toContain('marker-')
    expect(await only(made)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      response_status: 204,
      error: null,
      next_attempt_at: null,
    })
  })

  it('takes a whsec_ secret for base64', async () => {
    const secret = `whsec_${Buffer.from('twenty-four bytes of key').toString('base64')}`
    const made = world()
    await provisioned(made, { secret })
    await sending(made).all()
    expect(verified(receiver.calls[0], secret)).toMatchObject({ type: 'agent_app.provisioned' })
  })

  it('signs nothing without a secret', async () => {
    const made = world()
    await provisioned(made, { secret: null })
    await sending(made).all()
    const { headers } = receiver.calls[0] ?? {}
    expect(headers).toHaveProperty('webhook-id')
    expect(headers).toHaveProperty('webhook-timestamp')
    expect(headers).not.toHaveProperty('webhook-signature')
    expect(headers).not.toHaveProperty('x-service-signature')
  })

  it('tries at the schedule, with the same bytes, and then gives up', async () => {
    receiver.answer = (response) => response.writeHead(500).end('no')
    const made = world()
    await provisioned(made)
    const sender = sending(made)
    const begun = clock.now().getTime()
    for (const [i, seconds] of tryAfterSeconds.entries()) {
      await sender.all()
      expect(receiver.calls).toHaveLength(i + 1)
      const after = ((receiver.calls[i]?.at ?? 0) - begun) / 1000
      expect(Math.abs(after - seconds)).toBeLessThanOrEqual(seconds * jitterPart + 0.01)
      expect(verified(receiver.calls[i], 'marker-secret')).toBeTruthy()
      const { next_attempt_at, status, attempts, error } = await only(made)
      expect({ attempts, error }).toEqual({ attempts: i + 1, error: 'The receiver answered 500.' })
      if (i === tryAfterSeconds.length - 1) {
        expect({ status, next_attempt_at }).toEqual({ status: 'failed', next_attempt_at: null })
        continue
      }
      expect(status).toBe('pending')
      await advanceTo(next_attempt_at, -1)
      await sender.all()
      expect(receiver.calls, 'nothing is sent before its time').toHaveLength(i + 1)
      await clock.advance(1)
    }
    await clock.advance(7 * 86_400_000)
    await sender.all()
    expect(receiver.calls).toHaveLength(tryAfterSeconds.length)
    expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const { id } = await only(made)
    const marks = receiver.calls.map(({ headers }) => [
      headers['idempotency-key'],
      headers['abode-attempt'],
    ])
    expect(marks).toEqual(tryAfterSeconds.map((_, i) => [id, String(i + 1)]))
  })

  itOnEach(
    'delivers to a receiver that comes back, once, also over restarts between the tries',
    async () => {
      receiver.answer = (response) => response.destroy()
      let made = world()
      await provisioned(made)
      for (let tries = 1; tries <= 3; tries += 1) {
        await sending(made).all()
        expect(receiver.calls).toHaveLength(tries)
        await Promise.all(working.splice(0).map((one) => one.stop()))
        await opened.pop()?.close()
        store = await reopen()
        made = world()
        await advanceTo((await only(made)).next_attempt_at)
      }
      receiver.answer = (response) => response.writeHead(200).end()
      await sending(made).all()
      await clock.advance(2 * 86_400_000)
      await sending(made).all()
      expect(receiver.calls).toHaveLength(4)
      expect(await only(made)).toMatchObject({ status: 'delivered', attempts: 4, error: null })
    },
  )

  it('comes back for the second try by itself', async () => {
    receiver.answer = (response) => response.writeHead(500).end()
    const made = world()
    await provisioned(made)
    let asked = 0
    const one = deliverer(made.ports, () => void (asked += 1))
    working.push(one)
    expect(await one.tick()).toBe(1)
    await until(() => asked === 1)
    await advanceTo((await only(made)).next_attempt_at)
    expect(asked).toBe(2)
    expect(await one.tick()).toBe(1)
    await until(() => receiver.calls.length === 2)
  })

  itOnEach('is shared out between two processes, each try made once', async () => {
    const made = world()
    await provisioned(made)
    for (let i = 0; i < 30; i += 1) {
      const changed = { ...manifest(), description: `change ${i}` }
      await made.ask('agent_apps.update', { app_id: 'desk', manifest: changed }, key)
    }
    const second = await reopen()
    const two = [sending(made), sending(world(guarded(), second))]
    await Promise.all(two.map((one) => one.all()))
    const sent = receiver.calls.map(({ headers }) => headers['webhook-id'])
    expect(new Set(sent).size).toBe(31)
    expect(sent).toHaveLength(31)
    const found = await deliveries(made)
    expect(found.every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(
      true,
    )
  })

  itOnEach('is sent again by others when a process dies over it', async () => {
    const hanging: Sender = { ...guarded(), send: () => new Promise(() => undefined) }
    const made = world(hanging)
    await provisioned(made)
    const dead = deliverer(made.ports, () => undefined)
    expect(await dead.tick()).toBe(1)
    const heir = sending(world())
    await heir.all()
    expect(receiver.calls).toHaveLength(0)
    await clock.advance(60_000)
    await heir.all()
    expect(receiver.calls).toHaveLength(1)
    const { id, ...told } = await only(made)
    expect(told).toMatchObject({ status: 'delivered', attempts: 1 })
    // The first try may have arrived.
    const mark = { 'idempotency-key': id, 'abode-attempt': '2' }
    expect(receiver.calls[0]?.headers).toMatchObject(mark)
  })

  itOnEach('is handed back at once by a process that stops', async () => {
    let begun = 0
    const hanging: Sender = {
      ...guarded(),
      send: ({ signal }) =>
        new Promise((_, reject) => {
          begun += 1
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    }
    const made = world(hanging)
    await provisioned(made)
    const stopping = deliverer(made.ports, () => undefined)
    await stopping.tick()
    await until(() => begun === 1)
    const stopped = stopping.stop()
    await clock.advance(5000)
    await stopped
    expect(await only(made)).toMatchObject({ status: 'pending', attempts: 0 })
    await sending(world()).all()
    expect(receiver.calls).toHaveLength(1)
  })

  const notices = async (made: World): Promise<OwnerNotice[]> =>
    (await made.ask<{ items: OwnerNotice[] }>('account.inbox', {}, key)).items

  it('disables the webhook of a receiver that is gone, and tells the owner', async () => {
    receiver.answer = (response) => response.writeHead(503).end()
    const made = world()
    await provisioned(made)
    const sender = sending(made)
    await sender.all()
    receiver.answer = (response) => response.writeHead(410).end()
    const second = { ...manifest(), description: 'second' }
    await made.ask('agent_apps.update', { app_id: 'desk', manifest: second }, key)
    await sender.all()
    expect(await made.ask('agent_apps.get', { app_id: 'desk' }, key)).toMatchObject({
      webhook: { state: 'disabled' },
    })
    expect((await deliveries(made)).map(({ status }) => status)).toEqual(['disabled', 'disabled'])
    const inbox = await made.ports.store.notices.find({})
    const next = [{ operation: 'agent_apps.update', input: { app_id: 'desk' } }]
    expect(inbox).toMatchObject([{ type: 'webhook.disabled', next }])
    await clock.advance(86_400_000)
    await sender.all()
    expect(receiver.calls).toHaveLength(2)
    expect(await notices(made)).toMatchObject([{ resolved_at: null }])
    await made.ask('agent_apps.update', { app_id: 'desk', manifest: manifest() }, key)
    expect(await notices(made)).toMatchObject([{ resolved_at: expect.any(String) }])
  })

  it('tells the owner of calls that were given up, once an hour, until the last has arrived', async () => {
    receiver.answer = (response) => response.writeHead(500).end()
    const made = world()
    await provisioned(made)
    const second = { ...manifest(), description: 'second' }
    await made.ask('agent_apps.update', { app_id: 'desk', manifest: second }, key)
    const sender = sending(made)
    const left = () => made.ports.store.deliveries.find({ status: 'pending' })
    for (let one = await left(); one.length > 0; one = await left()) {
      await sender.all()
      const due = one.map(({ due_at }) => Date.parse(due_at ?? ''))
      await clock.advance(Math.max(1, Math.max(...due) - clock.now().getTime()))
    }
    const told = await notices(made)
    expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    expect(told.length).toBeLessThanOrEqual(2)
    for (const one of told) {
      const input = { app_id: 'desk', delivery_id: expect.any(String) as string }
      const next = [{ operation: 'agent_apps.deliveries.redeliver', input }]
      expect(one).toMatchObject({ type: 'delivery.failed', next, resolved_at: null })
      expect(one.message).toContain(receiver.origin)
      expect(one.message).not.toContain('/hook')
    }
    receiver.answer = (response) => response.writeHead(204).end()
    for (const one of told) {
      await made.ask('agent_apps.deliveries.redeliver', one.next[0]?.input ?? {}, key)
    }
    await sender.all()
    for (const one of await notices(made)) expect(one.resolved_at).not.toBeNull()
  })

  it('tells of a call of a channel that was given up how it comes again, until it has', async () => {
    receiver.answer = (response) => response.writeHead(500).end()
    const made = world()
    const worker = runner(made.ports, 2)
    made.ports.wake.connect('runs', (count) => worker.wake(count))
    key = (await made.account()).key
    const config = { url: receiver.url }
    const control = {
      channels: [{ name: 'town', type: 'webhook', config }],
      default_channel: 'town',
    }
    await made.ask('characters.create', { character: { id: 'ada', name: 'Ada', control } }, key)
    const said = { runtime: 'template', prompt: 'Hi', social_posting: { enabled: true } }
    await made.ask(
      'tasks.create',
      { char_id: 'ada', task: { task_id: 't', name: 'T', ...said } },
      key,
    )
    const call = { char_id: 'ada', task_id: 't', wait_seconds: 60 }
    const { id: run_id } = await made.ask<{ id: string }>('tasks.run', call, key)
    const sender = sending(made)
    for (let one = await store.deliveries.find({ status: 'pending' }); one.length > 0;) {
      await sender.all()
      one = await store.deliveries.find({ status: 'pending' })
      await clock.advance(
        Math.max(1, Date.parse(one[0]?.due_at ?? '') - clock.now().getTime() || 1),
      )
    }
    const next = [
      { operation: 'runs.get', input: { run_id } },
      { operation: 'runs.retry', input: { run_id } },
    ]
    expect(await notices(made)).toMatchObject([
      { type: 'delivery.failed', next, resolved_at: null },
    ])
    receiver.answer = (response) => response.writeHead(204).end()
    const before = receiver.calls.length
    const again = await made.ask<{ id: string }>('runs.retry', { run_id }, key)
    await until(async () => (await store.runs.get(again.id))?.status === 'completed')
    await sender.all()
    expect(receiver.calls).toHaveLength(before + 1)
    expect(await notices(made)).toMatchObject([{ resolved_at: expect.any(String) }])
    await worker.stop()
  })

  itOnEach('sends nothing to a disabled webhook until the app is updated', async () => {
    receiver.answer = (response) => response.writeHead(410).end()
    const made = world()
    await provisioned(made)
    const sender = sending(made)
    await sender.all()
    receiver.answer = (response) => response.writeHead(200).end()
    const update = { app_id: 'desk', manifest: manifest() }
    expect(await made.ask('agent_apps.plan', update, key)).toMatchObject({
      update: [{ kind: 'app', members: ['webhook'] }],
    })
    await made.ask('agent_apps.update', update, key)
    await sender.all()
    expect(receiver.calls).toHaveLength(2)
    expect(await made.ask('agent_apps.get', { app_id: 'desk' }, key)).toMatchObject({
      webhook: { state: 'active' },
    })
  })

  itOnEach.each([
    ['seconds', () => '120', 120],
    ['a date', () => new Date(clock.now().getTime() + 600_000).toUTCString(), 600],
    ['too many seconds', () => '999999999', 86_400],
    ['fewer than it would wait anyway', () => '1', 5],
    ['nonsense', () => 'soon', 5],
  ])('waits as Retry-After asks: %s', async (_, header, seconds) => {
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': header() }).end()
    const made = world()
    await provisioned(made)
    await sending(made).all()
    const { next_attempt_at } = await only(made)
    const waits = (Date.parse(next_attempt_at ?? '') - clock.now().getTime()) / 1000
    expect(Math.abs(waits - seconds)).toBeLessThanOrEqual(Math.max(1, seconds * jitterPart))
  })

  it('follows no redirect', async () => {
    let followed = 0
    const target = receiver.on('/elsewhere', (_, response) => {
      followed += 1
      response.end()
    })
    receiver.answer = (response) => response.writeHead(307, { location: target }).end()
    const made = world()
    await provisioned(made)
    await sending(made).all()
    expect(followed).toBe(0)
    expect(await only(made)).toMatchObject({
      status: 'pending',
      error: 'The receiver redirected; redirects are not followed.',
    })
  })

  it('refuses a name that leads inside when the connection is made', async () => {
    const { port } = new URL(receiver.origin)
    const sender = openSender({
      allow: [],
      userAgent: 'Abode/test',
      lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    const made = world(sender)
    await provisioned(made, { url: `http://hooks.example:${port}/hook` })
    await sending(made).all()
    expect(receiver.calls).toHaveLength(0)
    expect(await only(made)).toMatchObject({
      status: 'pending',
      attempts: 1,
      response_status: null,
      error: 'The address leads to a place that this server does not call.',
    })
    await sender.close()
  })

  it('calls no more than 60 places an hour for one account, and the others later', async () => {
    const called: string[] = []
    const answering: Sender = {
      ...guarded(),
      send: ({ url }) => {
        called.push(new URL(url).host)
        return Promise.resolve({ status: 200, headers: {}, body: '' })
      },
    }
    const made = world(answering)
    const owe = (host: string, i: number): Promise<void> => {
      const hook = { ownerId: 'acc_1', appId: null, charId: 'ada', eventId: `evt_${i}`, type: 'x' }
      const owed = { ...hook, url: `https://${host}/in`, body: { i }, now: clock.now() }
      return made.ports.store.deliveries.insert(newDelivery(owed, made.ports.sealer))
    }
    for (let i = 0; i < 65; i += 1) await owe(`h${i}.example`, i)
    for (let i = 0; i < 100; i += 1) await owe('h0.example', 1000 + i)
    const sender = sending(made)
    await sender.all()
    expect(new Set(called).size).toBe(60)
    expect(called.filter((host) => host === 'h0.example')).toHaveLength(101)
    await clock.advance(3_600_000)
    await sender.all()
    expect(new Set(called).size).toBe(65)
    expect(called).toHaveLength(165)
  })

  itOnEach('does not let a slow place hold up the others', async () => {
    const begun: string[] = []
    const hanging: Sender = {
      ...guarded(),
      send: ({ url, signal }) => {
        const { host } = new URL(url)
        begun.push(host)
        if (host !== 'slow.example') return Promise.resolve({ status: 200, headers: {}, body: '' })
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      },
    }
    const made = world(hanging)
    const owe = async (host: string): Promise<void> => {
      const hook = { ownerId: 'acc_1', appId: null, charId: 'ada', eventId: 'evt_1', type: 'x' }
      const owed = { ...hook, url: `https://${host}/in`, body: {}, now: clock.now() }
      await made.ports.store.deliveries.insert(newDelivery(owed, made.ports.sealer))
    }
    for (let i = 0; i < 80; i += 1) await owe('slow.example')
    await clock.advance(1)
    await owe('fast.example')
    const one = deliverer(made.ports, () => undefined)
    expect(await one.tick()).toBe(4)
    expect(await one.tick(), 'the place is full, and not yet slow').toBe(0)
    await clock.advance(3000)
    expect(await one.tick()).toBeGreaterThan(0)
    while ((await one.tick()) > 0);
    await until(() => begun.includes('fast.example'))
    expect(begun.filter((host) => host === 'slow.example')).toHaveLength(4)
    const stopped = one.stop()
    await clock.advance(5000)
    await stopped
  })

  it('tells of the teardown after it, and keeps what it sent for 30 days', async () => {
    const made = world()
    await provisioned(made)
    await clock.advance(20 * 86_400_000)
    await made.ask('agent_apps.teardown', { app_id: 'desk' }, key)
    const sender = sending(made)
    await sender.all()
    expect(verified(receiver.calls[1], 'marker-secret')).toMatchObject({
      type: 'agent_app.torn_down',
      data: { app_id: 'desk', agents: [{ id: 'desk--a' }] },
    })
    for (const [days, left] of [
      [20, 2],
      [9, 2],
      [2, 0],
    ] as const) {
      await clock.advance(days * 86_400_000)
      await upkeep(made.ports, clock.now())
      expect(await store.deliveries.count({}), `after ${days} more days`).toBe(left)
    }
  })

  it('does not keep what an app that lives was sent longer than that', async () => {
    const made = world()
    await provisioned(made)
    await sending(made).all()
    await clock.advance(29 * 86_400_000)
    await upkeep(made.ports, clock.now())
    expect(await store.deliveries.count({})).toBe(1)
    await clock.advance(2 * 86_400_000)
    await upkeep(made.ports, clock.now())
    expect(await store.deliveries.count({})).toBe(0)
  })

  it('sends the same again when asked to', async () => {
    const made = world()
    await provisioned(made)
    const sender = sending(made)
    await sender.all()
    const { id } = await only(made)
    const again = { app_id: 'desk', delivery_id: id }
    await made.ask('agent_apps.deliveries.redeliver', again, key)
    await sender.all()
    expect(receiver.calls).toHaveLength(2)
    expect(receiver.calls[1]?.body).toBe(receiver.calls[0]?.body)
    expect(receiver.calls[1]?.headers['webhook-id']).toBe(receiver.calls[0]?.headers['webhook-id'])
    expect(await only(made)).toMatchObject({ id, status: 'delivered', attempts: 2 })
  })
})
