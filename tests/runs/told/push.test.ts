import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import type { SubscribedBrowser } from '#src/events/browsers/subscription.ts'
import { newsWrite } from '#src/runs/told/news.ts'
import { personGone } from '#src/accounts/people/leave.ts'
import { postNews } from '#src/runs/told/post.ts'
import { newsGatherer } from '#src/work/news.ts'
import { password, signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { startPushService } from '#tests/support/push/service.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { owedTo, runsFail, sentTo } from './news.ts'

const minute = 60_000

interface Tested {
  sent: boolean
  lacking?: string
  tried: { to: string; status: number | null; error: string | null }[]
}

describe.each(stores())('the browsers of a person, on $name', (kind) => {
  let service: Awaited<ReturnType<typeof startPushService>>
  let clock: FakeClock
  let world: World
  let ada: SignedInPerson
  /** How long the sender waits at most, in milliseconds. */
  let patience: number

  beforeEach(async () => {
    service = await startPushService()
    const opened = await kind.open()
    clock = fakeClock(Date.now())
    const now = () => Promise.resolve(clock.now())
    const sender = openSender({ allow: [service.origin], userAgent: 'abode-tests' })
    const direct = { ...sender }
    patience = Infinity
    sender.send = (request) =>
      direct.send({ ...request, timeoutMs: Math.min(request.timeoutMs ?? Infinity, patience) })
    world = openWorld({ ...opened, now, leaseTime: now }, { clock, sender })
    ada = await signedInPerson(world.ports)
  })
  afterEach(async () => {
    await world.ports.sender.close()
    await world.ports.store.close()
    service.close()
  })

  const as = <T>(name: string, input: object, person = ada) =>
    world.ask<T>(name, input, { token: person.token })
  const subscribed = async (person = ada, name = 'Firefox') => {
    const browser = service.browser()
    const { subscription } = browser
    const input = { name, subscription }
    const added = await as<SubscribedBrowser>('notifications.push.add', input, person)
    return { ...browser, added }
  }
  const failed = (many: number, first = 0): Promise<void> =>
    runsFail(world, ada.account_id, many, { first, task_id: 'a name of strangers' })
  const told = async (): Promise<void> => {
    await newsGatherer(world.ports)()
    await clock.advance(minute)
    await Promise.all([postNews(world.ports), postNews(world.ports)])
  }
  const owed = () => owedTo(world, ada.id)
  const sent = () => sentTo(world, ada.id)
  const listed = () =>
    as<{ items: SubscribedBrowser[]; application_server_key: string }>(
      'notifications.push.list',
      {},
    )

  it('each show forty failures of a minute once, encrypted and signed, without words of others', async () => {
    const browsers = [await subscribed(), await subscribed()]
    await failed(25)
    await newsGatherer(world.ports)()
    await failed(15, 25)
    await told()
    await sent()
    await told()
    await sent()
    const { application_server_key: key, items } = await listed()
    const { publicUrl } = world.ports.settings
    for (const { received, subscription } of browsers) {
      expect(received).toHaveLength(1)
      const [push] = received
      expect(push).toMatchObject({
        key,
        claims: { aud: service.origin, sub: 'mailto:abode@127.0.0.1' },
        headers: { ttl: '86400', urgency: 'normal', 'content-encoding': 'aes128gcm' },
        payload: {
          type: 'account.news',
          account_id: ada.account_id,
          counts: { run_failed: 40 },
          title: '40 runs failed',
          url: `${publicUrl}/needs-you`,
        },
      })
      expect(push?.headers['topic']).toMatch(/^[A-Za-z0-9_-]{1,32}$/)
      expect(push?.bytes).toBeLessThan(4096)
      expect(JSON.stringify(push?.payload)).not.toContain('strangers')
      // Neither whole nor in part is it shown or kept in the clear.
      const { push_subscriptions, deliveries } = world.ports.store
      const kept = [await push_subscriptions.find({}), await deliveries.find({}), items]
      for (const secret of [subscription.endpoint, subscription.keys.auth]) {
        expect(JSON.stringify(kept)).not.toContain(secret)
      }
    }
    expect(items.map(({ last_sent_at }) => last_sent_at)).not.toContain(null)
  })

  it('open the very thing where it is one, and are told of approvals with urgency', async () => {
    const { received } = await subscribed()
    const item = { char_id: 'ada', task_id: 't', run_id: 'run_1', approval_id: 'apr_1' }
    const news = {
      owner_id: ada.account_id,
      kind: 'approval_waiting' as const,
      count: 1,
      items: [{ kind: 'approval_waiting' as const, ...item }],
    }
    await world.ports.store.commit([newsWrite(news, clock.now())])
    await told()
    await sent()
    const { publicUrl } = world.ports.settings
    expect(received).toMatchObject([
      { headers: { urgency: 'high' }, payload: { url: `${publicUrl}/approvals/apr_1` } },
    ])
  })

  it('are told nothing that was not chosen, and nothing in quiet hours', async () => {
    const { received } = await subscribed()
    await as('notifications.update', { kinds: { run_failed: { push: false } } })
    await failed(1)
    await told()
    expect(await owed()).toEqual([])
    const quiet_hours = { from: '00:00', to: '23:59', timezone: 'UTC' }
    const kinds = { run_failed: { push: true } }
    await as('notifications.update', { kinds, quiet_hours })
    await failed(1)
    await told()
    await sent()
    expect(received).toEqual([])
    const kept = await world.ports.store.tellings.find({ person_id: ada.id })
    expect(kept.map(({ way }) => way)).toEqual(['push'])
  })

  it.each([404, 410])('are forgotten once their push service answers %i', async (status) => {
    await subscribed()
    service.status = status
    await failed(1)
    await told()
    await sent()
    expect((await listed()).items).toEqual([])
    expect((await owed()).map((one) => one.status)).toEqual(['disabled'])
    expect(await world.ports.store.notices.count({ type: 'webhook.disabled' })).toBe(0)
  })

  it.each([429, 503])(
    'are tried again after a %i, and a newer push replaces one that waits',
    async (status) => {
      const { received, added } = await subscribed()
      service.status = status
      service.headers = { 'retry-after': '120' }
      await failed(1)
      await told()
      await sent()
      const [waiting] = await owed()
      expect(waiting).toMatchObject({ status: 'pending', attempts: 1, response_status: status })
      expect(Date.parse(waiting?.due_at ?? '') - clock.now().getTime()).toBeGreaterThanOrEqual(
        119_000,
      )
      const error = `The push service answered ${status}.`
      expect((await listed()).items).toMatchObject([{ id: added.id, error, last_sent_at: null }])
      await failed(2)
      await told()
      expect(await owed()).toHaveLength(1)
      service.status = 201
      await sent()
      expect(received.at(-1)?.payload).toMatchObject({ counts: { run_failed: 2 } })
      expect((await listed()).items).toMatchObject([{ error: null }])
    },
  )

  it('are not tried again where they are refused, or redirected', async () => {
    await subscribed()
    service.status = 403
    await failed(1)
    await told()
    await sent()
    expect(await owed()).toMatchObject([{ status: 'failed', attempts: 1 }])
    service.status = 307
    service.headers = { location: `${service.origin}/send/2` }
    const other = service.browser()
    const { sent: isSent, tried } = await as<Tested>('notifications.test', { way: 'push' })
    expect(isSent).toBe(false)
    expect(tried[0]?.error).toContain('redirects are not followed')
    expect(other.received).toEqual([])
    expect((await listed()).items).toHaveLength(1)
  })

  it('show a test at once, and those that are gone are removed by it', async () => {
    expect(await as<Tested>('notifications.test', { way: 'push' })).toMatchObject({
      sent: false,
      lacking: 'You have subscribed no browser.',
    })
    const { received } = await subscribed(ada, 'Firefox at work')
    const to = 'Firefox at work'
    expect(await as<Tested>('notifications.test', { way: 'push' })).toEqual({
      way: 'push',
      sent: true,
      tried: [{ to, status: 201, error: null }],
    })
    expect(received).toMatchObject([{ headers: { topic: 'test' }, payload: { title: 'A test' } }])
    service.status = 410
    const { tried } = await as<Tested>('notifications.test', { way: 'push' })
    expect(tried).toEqual([{ to, status: 410, error: 'The browser is not subscribed any more.' }])
    expect((await listed()).items).toEqual([])
    expect(await owed()).toEqual([])
  })

  it('a service that hangs is given up after its time, and the test says so', async () => {
    await subscribed()
    service.hangs = true
    patience = 50
    const { sent: isSent, tried } = await as<Tested>('notifications.test', { way: 'push' })
    expect(isSent).toBe(false)
    expect(tried).toMatchObject([{ status: null, error: expect.stringMatching(/./) }])
    await failed(1)
    await told()
    await sent()
    expect(await owed()).toMatchObject([{ status: 'pending', attempts: 1 }])
  })

  it('tell one person each, and go with them', async () => {
    const bob = await signedInPerson(world.ports)
    const { subscription, added } = await subscribed()
    const refused = { push_id: added.id }
    const refusal = world.refusal('notifications.push.delete', refused, { token: bob.token })
    expect(await refusal).toMatchObject({ code: 'push_not_found' })
    // Who knows the address alone takes it from no one.
    const keys = service.browser().subscription.keys
    const other = { name: 'Mine', subscription: { ...subscription, keys } }
    await as('notifications.push.add', other, bob)
    expect((await listed()).items).toHaveLength(1)
    await as('notifications.push.add', { name: 'Shared', subscription }, bob)
    expect((await listed()).items).toEqual([])
    await as('notifications.push.add', { name: 'Shared', subscription })
    await failed(1)
    await told()
    expect(await owed()).toHaveLength(1)
    const person = await world.ports.store.persons.get(ada.id)
    if (!person) throw new Error('she is not there')
    await world.ports.store.commit(await personGone(world.ports.store, person, clock.now()))
    expect(await owed()).toEqual([])
    expect(await world.ports.store.push_subscriptions.count({ person_id: ada.id })).toBe(0)
  })

  it('go with the password with which they were added', async () => {
    await subscribed()
    const change = { password, new_password: 'some other words in a row' }
    await as('auth.change_password', change)
    expect((await listed()).items).toEqual([])
  })

  it('are ten at most, however many are added at once', async () => {
    const { subscription } = service.browser()
    const many = Array.from({ length: 40 }, (_, nth) => ({
      name: `Browser ${nth}`,
      subscription: { ...subscription, endpoint: `${subscription.endpoint}/${nth}` },
    }))
    await Promise.allSettled(many.map((one) => as('notifications.push.add', one)))
    const count = await world.ports.store.push_subscriptions.count({ person_id: ada.id })
    expect(count).toBeLessThanOrEqual(10)
    expect(count).toBeGreaterThan(0)
  })
})
