import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bounds } from '#src/runs/channels/begin.ts'
import { anonymousBytesAtMost } from '#src/core/operation-facts.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { newStage } from '#tests/operations/play.ts'
import { startServices, tokens, type Services } from '#tests/support/channels/services.ts'
import { signedAs, type SignedCall } from '#tests/support/channels/signed.ts'
import { startMailServer, type MailServer } from '#tests/support/mail/server.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'

const signing_secret = 'a-long-word'
const keys = generateKeyPairSync('ed25519')
const public_key = keys.publicKey
  .export({ format: 'der', type: 'spki' })
  .subarray(-32)
  .toString('hex')

describe.each(stores())('channels in on $name', (kind) => {
  let services: Services
  let mails: MailServer
  let server: PlayedServer
  let key: string
  let at: Record<string, string>

  beforeAll(async () => {
    services = await startServices()
    mails = await startMailServer()
    server = await openServer(kind, {
      ABODE_SLACK_URL: services.origin,
      ABODE_DISCORD_URL: services.origin,
      ABODE_TELEGRAM_URL: services.origin,
      ABODE_SMTP_URL: mails.url,
      ABODE_MAIL_FROM: 'abode@example.org',
    })
    key = await newStage(server.world).key('owner')
    await server.world.ports.store.accounts.update({}, { $set: { holder_id: 'usr_1' } })
    const task_id = 'echo'
    const channel = (name: string, type: string, config: object) => ({
      name,
      type,
      config: { task_id, ...config },
    })
    const channels = [
      channel('team', 'slack', { secret: tokens.slack, signing_secret }),
      channel('chat', 'telegram', { secret: tokens.telegram, signing_secret }),
      channel('guild', 'discord', { public_key }),
      channel('post', 'email', { signing_secret }),
    ]
    const echo = { task_id, name: 'Echo', prompt: 'You said: {{input}}', runtime: 'template' }
    const character = { id: 'ada', name: 'Ada', control: { channels }, heart: { tasks: [echo] } }
    await server.world.ask('characters.create', { character }, key)
    const { items } = await server.world.ask<{ items: { name: string; in_url: string }[] }>(
      'channels.list',
      { char_id: 'ada' },
      key,
    )
    at = Object.fromEntries(items.map(({ name, in_url }) => [name, new URL(in_url).pathname]))
  })
  afterAll(async () => {
    await server.close()
    services.close()
    await mails.close()
  })

  const post = async (name: string, { headers, body }: SignedCall) => {
    const response = await fetch(`${server.url}${at[name]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return { status: response.status, said: (await response.json()) as Record<string, unknown> }
  }
  const runs = (): Promise<StoredRun[]> => server.world.ports.store.runs.find({ char_id: 'ada' })
  const taken = async (more: number) => {
    const before = services.taken.length
    return {
      all: async () => {
        await until(() => services.taken.length >= before + more)
        return services.taken.slice(before).map(({ path, body }) => ({ path, ...body }))
      },
    }
  }

  const slackEvent = (ts: string, more: object = {}) => ({
    type: 'event_callback',
    team_id: 'T1',
    event_id: `Ev${ts}`,
    authorizations: [{ user_id: 'UBOT', is_bot: true }],
    event: { type: 'message', channel: 'C9', user: 'U5', text: 'a &lt;b&gt;', ts, ...more },
  })
  /** An event whose body has so many bytes. */
  const eventOf = (ts: string, bytes: number) => {
    const room = bytes - JSON.stringify(slackEvent(ts, { text: '' })).length
    return slackEvent(ts, { text: 'a'.repeat(room) })
  }
  const update = (update_id: number, more: object = {}) => ({
    update_id,
    message: {
      message_id: 70 + update_id,
      from: { id: 5, is_bot: false },
      chat: { id: 5, type: 'private' },
      text: 'hello',
      ...more,
    },
  })
  const interaction = (id: string, more: object = {}) => ({
    type: 2,
    id,
    application_id: '9',
    channel_id: '77',
    token: 'interaction-token',
    member: { user: { id: '31' } },
    data: { name: 'ask', options: [{ name: 'question', type: 3, value: 'who?' }] },
    ...more,
  })
  const letter = (message_id: string, more: object = {}) => ({
    from: 'Eve@Example.org',
    to: 'ada@example.org',
    subject: 'Figures',
    text: 'are they ready?',
    message_id,
    ...more,
  })

  it('answers in the thread, chat or mail that asked, with what came in marked', async () => {
    const answers = await taken(4)
    expect(await post('team', signedAs.slack(signing_secret, slackEvent('1.1')))).toMatchObject({
      status: 200,
      said: { accepted: true },
    })
    const group = { chat: { id: -100, type: 'supergroup' }, is_topic_message: true }
    const topic = update(1, { ...group, message_thread_id: 4 })
    await post('chat', signedAs.telegram(signing_secret, topic))
    await post('chat', signedAs.telegram(signing_secret, update(2)))
    const asked = await post('guild', signedAs.discord(keys.privateKey, interaction('500')))
    expect(asked.said).toEqual({ type: 5 })
    expect(await answers.all()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          channel: 'C9',
          thread_ts: '1.1',
          text: 'You said: a &lt;b&gt;',
        }),
        expect.objectContaining({
          chat_id: '-100',
          message_thread_id: 4,
          reply_parameters: { message_id: 71, allow_sending_without_reply: true },
        }),
        expect.objectContaining({ chat_id: '5', text: 'You said: hello' }),
        expect.objectContaining({
          path: '/api/v10/webhooks/9/interaction-token',
          content: 'You said: who?',
        }),
      ]),
    )
    await post('post', signedAs.email(signing_secret, letter('<1@example.org>')))
    const mail = await mails.mail(0)
    expect(mail).toMatchObject({ to: ['eve@example.org'], subject: 'Re: Figures' })
    expect(mail.raw).toMatch(/^In-Reply-To: <1@example\.org>/m)
    expect(mail.raw).toMatch(/^References: <1@example\.org>/m)
    expect(services.faults).toEqual([])
    const kept = await runs()
    expect(kept).toHaveLength(5)
    for (const { untrusted, source, sender } of kept) {
      expect({ untrusted, source }).toEqual({ untrusted: true, source: { kind: 'chat' } })
      expect(sender, 'it counts for who wrote').toBeDefined()
    }
    expect(JSON.stringify(await server.world.ports.store.chats.find({}))).not.toContain(
      'interaction-token',
    )

    // The next mail answers ours, and goes on with the same conversation.
    const [ours] = /<dlv_[^>]+>/.exec(mail.raw) ?? []
    const next = letter('<2@example.org>', { in_reply_to: ours, subject: 'Re: Figures' })
    await post('post', signedAs.email(signing_secret, next))
    expect((await mails.mail(1)).subject).toBe('Re: Figures')
    const chats = await server.world.ports.store.chats.find({ 'channel.name': 'post' })
    expect(new Set(chats.map(({ context_id }) => context_id)).size).toBe(1)
  })

  it('takes a message once, however often and under which name it comes', async () => {
    const before = (await runs()).length
    const event = slackEvent('2.1')
    const mention = {
      ...event,
      event_id: 'Ev-again',
      event: { ...event.event, type: 'app_mention' },
    }
    const calls = [event, event, mention].map((one) => signedAs.slack(signing_secret, one))
    const once = signedAs.telegram(signing_secret, update(20))
    // As they were caught on their way, whose signatures hold for a while.
    const asked = signedAs.discord(keys.privateKey, interaction('502'))
    const mail = signedAs.email(signing_secret, letter('<20@example.org>'))
    const all = [
      ...calls.map((one) => post('team', one)),
      ...[once, once].map((one) => post('chat', one)),
      ...[asked, asked].map((one) => post('guild', one)),
      ...[mail, mail].map((one) => post('post', one)),
    ]
    for (const { status } of await Promise.all(all)) expect(status).toBe(200)
    expect(await runs()).toHaveLength(before + 4)
  })

  it('refuses what is forged, late or too long, and keeps nothing of it', async () => {
    const before = (await runs()).length
    const late = Date.now() - 301_000
    const forged: [string, SignedCall][] = [
      ['team', signedAs.slack('another-word', slackEvent('3.1'))],
      ['team', signedAs.slack(signing_secret, slackEvent('3.2'), late)],
      ['team', { ...signedAs.slack(signing_secret, slackEvent('3.3')), body: '{"type":"x"}' }],
      ['team', { headers: {}, body: JSON.stringify(slackEvent('3.4')) }],
      ['chat', signedAs.telegram('another-word', update(30))],
      ['chat', { headers: {}, body: JSON.stringify(update(31)) }],
      ['guild', signedAs.discord(generateKeyPairSync('ed25519').privateKey, interaction('600'))],
      ['guild', signedAs.discord(keys.privateKey, interaction('601'), late)],
      ['post', signedAs.email('another-word', letter('<3@example.org>'))],
      ['post', signedAs.email(signing_secret, letter('<4@example.org>'), late)],
      // Signed for another channel, and brought here.
      ['post', signedAs.slack(signing_secret, slackEvent('3.5'))],
    ]
    for (const [name, call] of forged) {
      expect(await post(name, call), name).toMatchObject({
        status: 401,
        said: { code: 'signature_invalid' },
      })
    }
    for (const bytes of [anonymousBytesAtMost + 1, 2 ** 20, 2 ** 20 + 1]) {
      const long = signedAs.slack(signing_secret, eventOf('3.6', bytes))
      expect((await post('team', long)).status, `${bytes} bytes`).toBe(413)
    }
    expect(await runs()).toHaveLength(before)
  })

  it('takes one that is as long as it may be, and of its text what a run is given', async () => {
    const largest = signedAs.slack(signing_secret, eventOf('3.7', anonymousBytesAtMost))
    expect(Buffer.byteLength(largest.body)).toBe(anonymousBytesAtMost)
    expect(await post('team', largest)).toMatchObject({ status: 200, said: { accepted: true } })
    const [run] = await server.world.ports.store.runs.find({}, { sort: { id: -1 }, limit: 1 })
    expect(run?.input).toBe('a'.repeat(32_000))
  })

  it('answers what services ask at first, and nothing that programs write', async () => {
    const before = (await runs()).length
    const question = { type: 'url_verification', challenge: 'c-1' }
    expect((await post('team', signedAs.slack(signing_secret, question))).said).toEqual({
      challenge: 'c-1',
    })
    const ping = signedAs.discord(keys.privateKey, { type: 1 })
    expect((await post('guild', ping)).said).toEqual({ type: 1 })
    const written = [
      ['team', signedAs.slack(signing_secret, slackEvent('4.1', { bot_id: 'B1' }))],
      ['team', signedAs.slack(signing_secret, slackEvent('4.2', { user: 'UBOT' }))],
      ['team', signedAs.slack(signing_secret, slackEvent('4.3', { subtype: 'message_changed' }))],
      ['chat', signedAs.telegram(signing_secret, update(40, { from: { id: 6, is_bot: true } }))],
      ['chat', signedAs.telegram(signing_secret, { update_id: 41, my_chat_member: {} })],
      [
        'post',
        signedAs.email(
          signing_secret,
          letter('<5@example.org>', { auto_submitted: 'auto-replied' }),
        ),
      ],
    ] as const
    for (const [name, call] of written) {
      expect((await post(name, call)).said).toEqual({ accepted: false, reason: 'not_a_message' })
    }
    expect(await runs()).toHaveLength(before)
  })

  it('ends what two programs could say for ever', async () => {
    const { count } = bounds.channel_in_conversation
    const before = (await runs()).length
    const said = []
    for (let i = 0; i < count + 3; i++) {
      const chat = { id: 8, type: 'private' }
      const sent = update(1000 + i, { chat, from: { id: 8, is_bot: false } })
      said.push((await post('chat', signedAs.telegram(signing_secret, sent))).said)
    }
    expect(said.at(-1)).toEqual({ accepted: false, reason: 'rate_limited' })
    expect((await runs()).length - before).toBeLessThanOrEqual(count)
  })
})
