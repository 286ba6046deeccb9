import type { IncomingMessage } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import { newsWrite } from '#src/runs/told/news.ts'
import { postNews } from '#src/runs/told/post.ts'
import { newsGatherer } from '#src/work/news.ts'
import { signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { owedTo, runsFail, sentTo } from './news.ts'

const minute = 60_000
const day = 24 * 60 * minute

interface Call {
  headers: IncomingMessage['headers']
  body: string
}

describe.each(stores())('the webhook of a person, on $name', (kind) => {
  let server: WebServer
  let calls: Call[]
  let status: number
  let hook: string
  let clock: FakeClock
  let world: World
  let ada: SignedInPerson

  beforeEach(async () => {
    server = await startWebServer()
    calls = []
    status = 204
    hook = server.on('/told', async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(status).end()
    })
    const opened = await kind.open()
    clock = fakeClock(Date.now())
    const now = () => Promise.resolve(clock.now())
    const sender = openSender({ allow: [server.origin], userAgent: 'abode-tests' })
    world = openWorld({ ...opened, now, leaseTime: now }, { clock, sender })
    ada = await signedInPerson(world.ports)
  })
  afterEach(async () => {
    await world.ports.sender.close()
    await world.ports.store.close()
    server.close()
  })

  const asAda = <T>(name: string, input: object) => world.ask<T>(name, input, { token: ada.token })
  const set = (url: string) => asAda<{ secret: string }>('notifications.webhook.set', { url })
  const failed = (owner_id: string, many: number, first = 0): Promise<void> =>
    runsFail(world, owner_id, many, { first })
  /** Two processes do what is due. */
  const told = async (): Promise<void> => {
    await Promise.all([newsGatherer(world.ports)(), newsGatherer(world.ports)()])
    await newsGatherer(world.ports)()
    await clock.advance(minute)
    await Promise.all([postNews(world.ports), postNews(world.ports)])
  }
  const owed = () => owedTo(world, ada.id)
  const sent = () => sentTo(world, ada.id)

  it('is called once for forty failures of a minute, signed with the secret that was shown', async () => {
    const { secret } = await set(hook)
    await failed(ada.account_id, 25)
    await newsGatherer(world.ports)()
    await failed(ada.account_id, 15, 25)
    await told()
    await sent()
    await told()
    await sent()
    expect(calls).toHaveLength(1)
    const [call] = calls
    const { account_id } = ada
    const read = new Webhook(secret).sign(
      String(call?.headers['webhook-id']),
      new Date(Number(call?.headers['webhook-timestamp']) * 1000),
      call?.body ?? '',
    )
    expect(call?.headers['webhook-signature']).toBe(read)
    const { data, type } = JSON.parse(call?.body ?? '')
    expect(type).toBe('account.news')
    expect(data).toMatchObject({ account_id, counts: { run_failed: 40 }, more: 30 })
    expect(data.items).toHaveLength(10)
    const { publicUrl } = world.ports.settings
    expect(data.items[0]).toMatchObject({ run_id: 'run_0', url: `${publicUrl}/runs/run_0` })
    // Neither answers show it again, nor an export.
    expect(JSON.stringify(await asAda('notifications.get', {}))).not.toContain(secret)
    const kept = await world.ports.store.notification_settings.find({})
    expect(JSON.stringify(kept)).not.toContain(secret)
  })

  it('reaches no private address, and one that answers 410 is disabled with a notice', async () => {
    for (const url of ['http://10.0.0.1/told', 'ftp://example.com', 'http://localhost:1/told']) {
      const refusal = world.refusal('notifications.webhook.set', { url }, { token: ada.token })
      expect(await refusal).toMatchObject({
        errors: [{ pointer: '/url', code: 'address_refused' }],
      })
    }
    const { secret } = await set(hook)
    status = 410
    await failed(ada.account_id, 1)
    await told()
    await sent()
    const webhook = { url: hook, state: 'disabled' }
    expect(await asAda('notifications.get', {})).toMatchObject({ webhook })
    const { items } = await asAda<{ items: OwnerNotice[] }>('account.inbox', {})
    const notice = items.find(({ type }) => type === 'webhook.disabled')
    expect(notice?.message).not.toContain(hook)
    // Nothing is kept for what calls nothing, and what is chosen leaves it disabled.
    await asAda('notifications.update', { digest_minutes: 2 })
    await failed(ada.account_id, 1)
    await told()
    expect(await world.ports.store.tellings.count({})).toBe(0)
    const again = await set(hook)
    expect(again.secret).not.toBe(secret)
    expect(await asAda('notifications.get', {})).toMatchObject({
      webhook: { url: hook, state: 'active' },
      digest_minutes: 2,
    })
  })

  it('keeps what happens while it takes nothing, and is disabled after a day of that', async () => {
    await set(hook)
    status = 503
    for (let nth = 0; nth < 12; nth++) {
      await failed(ada.account_id, 1, nth)
      await told()
    }
    expect(await owed()).toHaveLength(10)
    const [kept] = await world.ports.store.tellings.find({})
    expect(kept?.counts).toEqual({ run_failed: 2 })
    const [first] = await owed()
    if (!first) throw new Error('nothing is owed')
    const last = { attempts: 8, due_at: clock.now().toISOString() }
    await world.ports.store.deliveries.update({ id: first.id }, { $set: last })
    await clock.advance(day)
    await sent()
    await sent()
    await sent()
    const states = (await owed()).map(({ status: one }) => one)
    expect(states.filter((one) => one === 'pending')).toEqual([])
    expect(await asAda('notifications.get', {})).toMatchObject({ webhook: { state: 'disabled' } })
  })

  it('is told within a look, however much happens in another account', async () => {
    await set(hook)
    const flood = Array.from({ length: 300 }, () =>
      newsWrite(
        { owner_id: 'acc_0', kind: 'run_failed', count: 1, items: [] },
        new Date(clock.now().getTime() - day),
      ),
    )
    for (let at = 0; at < flood.length; at += 50) {
      await world.ports.store.commit(flood.slice(at, at + 50))
    }
    await failed(ada.account_id, 1)
    await newsGatherer(world.ports)()
    expect(await world.ports.store.tellings.count({ person_id: ada.id })).toBe(1)
  })

  it('drops what waits once the person has it deleted, or is deleted', async () => {
    await set(hook)
    await failed(ada.account_id, 1)
    await told()
    await asAda('notifications.webhook.delete', {})
    expect(await owed()).toEqual([])
    expect(await asAda('notifications.get', {})).toMatchObject({ webhook: null })
  })
})
