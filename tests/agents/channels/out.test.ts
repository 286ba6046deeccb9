import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMailer } from '#adapters/mail/mailer.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import { readConfig } from '#adapters/config/read.ts'
import { partsOf } from '#src/events/outbox/channels/split.ts'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import { deliverer, type Deliverer } from '#src/work/deliveries.ts'
import { startServices, tokens, type Services } from '#tests/support/channels/services.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { startMailServer, type MailServer } from '#tests/support/mail/server.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Listed {
  items: { name: string; carries: boolean; reason: string | null; last: unknown }[]
}

describe.each(stores())('channels out on $name', (kind) => {
  let services: Services
  let server: MailServer
  let clock: FakeClock
  let world: World
  let key: string
  let sending: Deliverer
  let ended: number

  beforeEach(async () => {
    services = await startServices()
    server = await startMailServer()
    clock = fakeClock(Date.now() + 60_000)
    const { mail } = readConfig({
      ABODE_SMTP_URL: server.url,
      ABODE_MAIL_FROM: 'abode@example.org',
    })
    if (!mail) throw new Error('no mail is configured')
    world = openWorld(await kind.open(), {
      clock,
      mailer: openMailer(mail),
      messengers: openSender({ allow: [services.origin], userAgent: 'Abode/test' }),
      channelServices: services.at,
    })
    const owner = await world.account()
    ;({ key } = owner)
    // Mails are sent for accounts that a person holds.
    await world.ports.store.accounts.update({ id: owner.id }, { $set: { holder_id: 'usr_1' } })
    ended = 0
    sending = deliverer(world.ports, () => void (ended += 1))
  })
  afterEach(async () => {
    await sending.stop()
    world.ports.mailer?.close()
    await world.ports.store.close()
    services.close()
    await server.close()
  })

  const made = async (channels: object[], more: object = {}): Promise<Record<string, unknown>> =>
    world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', control: { channels }, ...more } },
      key,
    )
  const send = (channel: string, text: string, more: object = {}) =>
    world.ask<{ deliveries: string[] }>(
      'channels.send',
      { char_id: 'ada', channel, text, ...more },
      key,
    )
  /** Everything that is due is tried, and what is due after that. */
  const sent = async (): Promise<void> => {
    for (;;) {
      const before = ended
      const taken = await sending.tick()
      if (taken === 0) return
      await until(() => ended >= before + taken)
    }
  }
  const listed = async () =>
    (await world.ask<Listed>('channels.list', { char_id: 'ada' }, key)).items

  const all = (): object[] => [
    { name: 'post', type: 'email', config: { to: 'eve@example.org', reply_to: 'in@example.org' } },
    { name: 'team', type: 'slack', config: { secret: tokens.slack, to: ['C1', 'C2'] } },
    { name: 'hook', type: 'slack', config: { secret: `${services.origin}/services/T1/B1/hush` } },
    { name: 'guild', type: 'discord', config: { secret: tokens.discord, to: '77' } },
    { name: 'chat', type: 'telegram', config: { secret: tokens.telegram, to: -100 } },
  ]

  it('carry a message in the form of each service, and show no secret', async () => {
    const created = await made(all())
    // The stand-in is on the loopback, where the services are not.
    expect(created['warnings']).toMatchObject([{ code: 'address_refused' }])
    const words = '<!channel> @everyone & <https://x.test|look>'
    for (const name of ['post', 'team', 'hook', 'guild', 'chat']) await send(name, words)
    await sent()
    expect(services.faults).toEqual([])
    const escaped = '&lt;!channel&gt; @everyone &amp; &lt;https://x.test|look&gt;'
    expect(services.taken.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        { channel: 'C1', text: escaped, unfurl_links: false, unfurl_media: false },
        { text: escaped, unfurl_links: false, unfurl_media: false },
        expect.objectContaining({ content: words, flags: 4, enforce_nonce: true }),
        { chat_id: '-100', text: words, link_preview_options: { is_disabled: true } },
      ]),
    )
    const mail = await server.mail(0)
    expect(mail).toMatchObject({ to: ['eve@example.org'], subject: 'Message from Ada' })
    expect(mail.text.trim()).toBe(words)
    expect(mail.raw).toMatch(/^From: Ada <abode@example\.org>/m)
    expect(mail.raw).toMatch(/^Reply-To: in@example\.org/m)
    const channels = await listed()
    expect(channels.map(({ last }) => last)).toEqual(
      Array.from({ length: 5 }, () =>
        expect.objectContaining({ status: 'delivered', error: null }),
      ),
    )
    const rows = await world.ports.store.deliveries.find({ char_id: 'ada' })
    const shown = await world.ask('characters.get', { char_id: 'ada' }, key)
    expect(JSON.stringify([rows, channels, shown])).not.toMatch(/hush/)
  })

  it('send no mail for an account that no person holds', async () => {
    await made(all())
    await world.ports.store.accounts.update({}, { $set: { holder_id: null } })
    await expect(send('post', 'Buy now')).rejects.toMatchObject({ code: 'recipient_unreachable' })
    const shown = (await listed()).map(({ name, carries }) => [name, carries])
    expect(shown).toContainEqual(['post', false])
    expect(shown).toContainEqual(['team', true])
    await sent()
    expect(server.mails).toEqual([])
  })

  it('send a long text in parts, one after the other, each where a reader pauses', async () => {
    await made(all())
    const lines = Array.from({ length: 60 }, (_, i) => `Line ${i} ${'word '.repeat(18)}end.`)
    const text = lines.join('\n')
    const { deliveries } = await send('guild', text)
    expect(deliveries.length).toBeGreaterThan(2)
    services.replies.push({ status: 503 })
    await sent()
    expect(services.taken, 'the first part comes first').toEqual([])
    await clock.advance(6000)
    await sent()
    const parts = services.taken.map(({ body }) => String(body['content']))
    expect(parts.join('\n')).toBe(text)
    expect(services.faults).toEqual([])
  })

  it('wait as long as a service asks, and give up at once what it refuses for good', async () => {
    await made(all())
    services.replies.push({ status: 429, body: { ok: false, parameters: { retry_after: 40 } } })
    await send('chat', 'soon')
    await sent()
    await clock.advance(39_000)
    await sent()
    expect(services.taken).toEqual([])
    await clock.advance(2000)
    await sent()
    expect(services.taken).toHaveLength(1)

    services.replies.push({ status: 200, body: { ok: false, error: 'channel_not_found' } })
    const { deliveries } = await send('team', 'word '.repeat(4000))
    await sent()
    const rows = await world.ports.store.deliveries.find({ id: { $in: deliveries } })
    expect(rows.map(({ status }) => status)).toEqual(deliveries.map(() => 'failed'))
    expect((await listed()).find(({ name }) => name === 'team')?.last).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/earlier part .* answered channel_not_found/),
    })
    const { items } = await world.ask<{ items: OwnerNotice[] }>('account.inbox', {}, key)
    expect(JSON.stringify(items)).toContain('The service answered channel_not_found.')
    await clock.advance(90_000_000)
    expect(await sending.tick(), 'nothing is tried again').toBe(0)
  })

  it('reach no one whom the channel does not name, and no private address', async () => {
    const config = { secret: 'http://127.0.0.1:9/hook' }
    await made([...all(), { name: 'inward', type: 'slack', config }])
    for (const [channel, to] of [
      ['post', 'someone@example.net'],
      ['team', 'C3'],
      ['hook', 'C1'],
    ]) {
      const input = { char_id: 'ada', channel, text: 'hello', to }
      const refusal = await world.refusal('channels.send', input, key)
      expect(refusal, channel).toMatchObject({ code: 'recipient_unreachable' })
    }
    await send('inward', 'hello')
    await sent()
    const [row] = await world.ports.store.deliveries.find({ channel: 'inward' })
    expect(row).toMatchObject({ status: 'pending', response_status: null })
    expect(server.tries + services.taken.length).toBe(0)
  })

  it('say what they lack', async () => {
    const channels = [
      { name: 'a', type: 'slack', config: { to: 'C1' } },
      { name: 'b', type: 'telegram', config: { secret: '{{secret.BOT}}', to: '1' } },
      { name: 'c', type: 'email', config: { to: 'Ada' } },
      { name: 'd', type: 'mcp' },
      { name: 'e', type: 'discord', enabled: false },
    ]
    const { warnings } = await made(channels)
    expect(warnings).toMatchObject([
      { code: 'not_deliverable', pointer: '/control/channels/0/config/secret' },
      { code: 'not_deliverable', pointer: '/control/channels/1/config/secret' },
      { code: 'not_deliverable', pointer: '/control/channels/2/config/to' },
      { code: 'not_deliverable', pointer: '/control/channels/3/type' },
    ])
    expect((await listed()).map(({ carries }) => carries)).toEqual(channels.map(() => false))
  })

  it('post what a task has made', async () => {
    const social_posting = { enabled: true, channels: ['team', 'post'], message_prefix: 'News: ' }
    const task = { task_id: 't', name: 'T', prompt: 'all is well', runtime: 'template' }
    await made(all(), { heart: { tasks: [{ ...task, social_posting }] } })
    await world.ask('tasks.run', { char_id: 'ada', task_id: 't' }, key)
    await sent()
    expect(services.taken[0]?.body).toMatchObject({ channel: 'C1', text: 'News: all is well' })
    expect((await server.mail(0)).text.trim()).toBe('News: all is well')
  })
})

it('texts are parted without loss, and never inside of a character', () => {
  const text = `${'a'.repeat(50)}\u{1f600}${'b '.repeat(500)}\n\n${'c'.repeat(300)}`
  for (const length of [51, 99, 100, 101]) {
    const parts = partsOf(text, length)
    expect(parts.every((part) => part.length <= length && part.isWellFormed())).toBe(true)
    expect(parts.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
  }
  expect(partsOf(' \n ', 10)).toEqual([])
})
