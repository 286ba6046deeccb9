import { expect } from 'vitest'
import { agent, given, nowhere, type Case, type Stage } from '../case.ts'

const telegram_token = 'a-long-word'
/** Closed to strangers, but where a channel names it. */
const answering = {
  task_id: 'answer',
  name: 'Answer',
  prompt: 'Got {{input}}',
  runtime: 'template',
  public: false,
}
const heart = { tasks: [answering] }

/** An agent with a channel of Telegram, and the address of that. */
async function reached(stage: Stage, config: object = {}, more: object = { heart }) {
  const channel = {
    name: 'chat',
    type: 'telegram',
    config: { secret: '1234:hush-hush-hush', signing_secret: telegram_token, ...config },
  }
  const char_id = await agent(stage, 'ada', { control: { channels: [channel] }, ...more })
  const { items } = await stage.ask('channels.list', { char_id })
  return { char_id, key: String(items[0]?.in_url).split('/').at(-1) ?? '' }
}

const body = {
  update_id: 10,
  message: {
    message_id: 7,
    from: { id: 5, is_bot: false },
    chat: { id: 5, type: 'private' },
    text: 'hello',
  },
}

export const channelsIn: readonly Case[] = [
  given({
    op: 'channels.receive',
    title: 'a message starts the task that the channel names, marked as from outside',
    as: 'anonymous',
    given: (stage) => reached(stage, { task_id: 'answer' }),
    input: (at) => ({ ...at, telegram_token, body }),
    answer: async (answer, { char_id }, stage) => {
      expect(answer).toEqual({ accepted: true })
      const { items } = await stage.ask('runs.list', { char_id })
      expect(items).toMatchObject([
        { untrusted: true, trigger: { type: 'message', caller: { channel: 'chat' } } },
      ])
    },
  }),
  given({
    op: 'channels.receive',
    title: 'a message without the token of the channel is refused, and nothing runs',
    as: 'anonymous',
    given: (stage) => reached(stage, { task_id: 'answer' }),
    input: (at) => ({ ...at, telegram_token: 'another-word', body }),
    refusal: 'signature_invalid',
  }),
  given({
    op: 'channels.receive',
    title: 'nothing listens at an address that was guessed',
    as: 'anonymous',
    given: (stage) => reached(stage),
    input: ({ char_id }) => ({ char_id, key: nowhere, telegram_token, body }),
    refusal: 'channel_not_found',
  }),
  given({
    op: 'channels.receive',
    title: 'without a task that a stranger may start, nothing answers',
    as: 'anonymous',
    given: (stage) => reached(stage),
    input: (at) => ({ ...at, telegram_token, body }),
    refusal: 'task_not_found',
  }),
]
