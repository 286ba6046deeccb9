import { expect } from 'vitest'
import {
  agent,
  brokenCursor,
  given,
  type Case,
  type MemberName,
  type Stage,
} from '#tests/operations/case.ts'

const url = 'https://receiver.example/commons'

const hooked = async (
  stage: Stage,
  more: object = {},
  as: MemberName = 'member',
): Promise<{ webhook_id: string }> => {
  const { id } = await stage.ask('commons.webhooks.create', { url, ...more }, as)
  return { webhook_id: id }
}

/** A webhook of the member, who is then written to. */
const written = async (stage: Stage): Promise<{ webhook_id: string; message_id: string }> => {
  const facts = await hooked(stage)
  const to = (await stage.member('member')).handle
  const { id } = await stage.ask('commons.messages.send', { to, body: 'May I?' }, 'other')
  return { ...facts, message_id: id }
}

const deliveriesOf = (stage: Stage, webhook_id: string) =>
  stage.world.ports.store.deliveries.find({ commons_webhook: webhook_id })

const creates: Case[] = [
  given({
    op: 'commons.webhooks.create',
    title: 'a handle subscribes to events, each once, and gets a secret that is shown once',
    as: 'member',
    input: () => ({
      url,
      events: ['commons.mentioned', 'commons.mentioned', 'commons.answer_accepted'],
    }),
    async answer(answer, _, stage) {
      const { secret, ...webhook } = answer as unknown as { secret: string }
      expect(webhook).toEqual({
        id: expect.stringMatching(/^cwh_/),
        url,
        events: ['commons.mentioned', 'commons.answer_accepted'],
        state: 'active',
        left_out: 0,
        created_at: expect.any(String),
      })
      expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
      const { items } = await stage.ask('commons.webhooks.list', {}, 'member')
      expect(items).toEqual([webhook])
    },
  }),
  given({
    op: 'commons.webhooks.create',
    title: 'an agent subscribes with its key',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => ({ url }),
    answer: (answer) => expect(answer).toMatchObject({ url, events: [], state: 'active' }),
  }),
  given({
    op: 'commons.webhooks.create',
    title: 'the same call again gives the same webhook and secret',
    as: 'member',
    again: true,
    input: () => ({ url }),
    answer: async (_answer, _, stage) => {
      const { items } = await stage.ask('commons.webhooks.list', {}, 'member')
      expect(items).toHaveLength(1)
    },
    not: { a2a: 'the key stands in a header' },
  }),
  given({
    op: 'commons.webhooks.create',
    title: 'a handle has three at most',
    as: 'member',
    async given(stage) {
      for (let i = 0; i < 3; i += 1) await hooked(stage)
    },
    input: () => ({ url }),
    refusal: 'webhook_limit_reached',
  }),
  given({
    op: 'commons.webhooks.create',
    title: 'one that was deleted makes room',
    as: 'member',
    async given(stage) {
      const { webhook_id } = await hooked(stage)
      for (let i = 0; i < 2; i += 1) await hooked(stage)
      await stage.ask('commons.webhooks.delete', { webhook_id }, 'member')
    },
    input: () => ({ url }),
    answer: (answer) => expect(answer).toMatchObject({ state: 'active' }),
  }),
  ...[
    'ftp://receiver.example/',
    'http://127.0.0.1:80/in',
    'http://169.254.169.254/latest',
    'https://user:word@receiver.example/',
    'nowhere',
  ].map((address) =>
    given({
      op: 'commons.webhooks.create',
      title: `an address that will not be reached is refused: ${address}`,
      as: 'member',
      input: () => ({ url: address }),
      refusal: 'invalid_input',
      error: ({ errors, details }) =>
        expect(JSON.stringify([errors, details])).toContain('address_refused'),
    }),
  ),
  given({
    op: 'commons.webhooks.create',
    title: 'an event that there is not is refused',
    as: 'member',
    input: () => ({ url, events: ['run.completed'] }),
    refusal: 'invalid_input',
  }),
]

const others: Case[] = [
  given({
    op: 'commons.webhooks.list',
    title: 'lists those of the caller alone, newest first',
    as: 'member',
    async given(stage) {
      const first = await hooked(stage)
      await hooked(stage, {}, 'other')
      return [(await hooked(stage)).webhook_id, first.webhook_id]
    },
    input: () => ({}),
    answer: ({ items }, ids) => expect(items.map(({ id }) => id)).toEqual(ids),
  }),
  { ...brokenCursor('commons.webhooks.list', () => ({})), as: 'member' },
  given({
    op: 'commons.webhooks.delete',
    title: 'ends it, and what waits to be sent to it',
    as: 'member',
    given: written,
    input: ({ webhook_id }) => ({ webhook_id }),
    async answer(answer, { webhook_id }, stage) {
      expect(answer).toEqual({ id: webhook_id, deleted: true })
      expect(await deliveriesOf(stage, webhook_id)).toEqual([])
      expect((await stage.ask('commons.webhooks.list', {}, 'member')).items).toEqual([])
    },
  }),
  given({
    op: 'commons.webhooks.deliveries.list',
    title: 'lists what is to be sent, without the words',
    as: 'member',
    given: written,
    input: ({ webhook_id }) => ({ webhook_id }),
    answer: ({ items }) => {
      const type = 'commons.message_requested'
      expect(items).toMatchObject([{ type, url, app_id: null, char_id: null }])
      expect(JSON.stringify(items)).not.toContain('May I?')
    },
  }),
  given({
    op: 'commons.webhooks.deliveries.list',
    title: 'narrows by status',
    as: 'member',
    given: written,
    input: ({ webhook_id }) => ({ webhook_id, status: 'disabled' }),
    answer: ({ items }) => expect(items).toEqual([]),
  }),
  given({
    op: 'commons.webhooks.deliveries.list',
    title: 'refuses the cursor of another list',
    as: 'member',
    given: (stage) => hooked(stage),
    input: (facts) => ({ ...facts, cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
  ...['commons.webhooks.delete', 'commons.webhooks.deliveries.list'].map((op) =>
    given({
      op,
      title: 'the webhook of another handle is not there',
      as: 'other',
      given: (stage) => hooked(stage),
      input: (facts) => facts,
      refusal: 'webhook_not_found',
    }),
  ),
  given({
    op: 'commons.replies.create',
    title: 'owes the webhooks of those that it tells what was said, marked as theirs',
    as: 'other',
    async given(stage) {
      const facts = await hooked(stage, { events: ['commons.reply_received'] })
      const body = ['a', 'b', 'c', 'd'].map((name) => stage.id(name)).join(' ')
      const said = { board: 'ask', title: 'Where?', body }
      const { id: thread_id } = await stage.ask('commons.threads.create', said, 'member')
      // Of another kind.
      const to = (await stage.member('member')).handle
      await stage.ask('commons.messages.send', { to, body: 'May I?' }, 'third')
      return { ...facts, thread_id, body: ['e', 'f', 'g'].map((name) => stage.id(name)).join(' ') }
    },
    input: ({ thread_id, body }) => ({ thread_id, body }),
    async answer(answer, { webhook_id, thread_id, body }, stage) {
      const owed = await deliveriesOf(stage, webhook_id)
      expect(owed).toHaveLength(1)
      expect(JSON.parse(owed[0]?.body ?? '{}')).toEqual({
        id: owed[0]?.event_id,
        type: 'commons.reply_received',
        timestamp: expect.any(String),
        api_version: '1.0',
        data: {
          handle: (await stage.member('member')).handle,
          notification_id: expect.stringMatching(/^ntf_/),
          from: (await stage.member('other')).handle,
          thread_id,
          reply_id: answer.id,
          message_id: null,
          excerpt: body,
          untrusted: true,
          source: { kind: 'forum', handle: (await stage.member('other')).handle },
        },
      })
    },
  }),
]

export const commonsWebhooks: readonly Case[] = [...creates, ...others]
