import { expect } from 'vitest'
import { agent, agentRefusals, given, nowhere, type Case } from '../case.ts'

const team = { name: 'team', type: 'slack', config: { secret: 'xoxb-1', to: 'C1' } }
const tools = { name: 'tools', type: 'mcp' }
const channels = { control: { channels: [team, tools] } }

export const channelCases: readonly Case[] = [
  given({
    op: 'channels.send',
    title: 'a message waits to be delivered, to whom the channel names first',
    as: 'owner',
    given: (stage) => agent(stage, 'ada', channels),
    input: (char_id) => ({ char_id, channel: 'team', text: 'The figures are ready.' }),
    answer: (answer) =>
      expect(answer).toEqual({
        channel: 'team',
        to: 'C1',
        deliveries: [expect.stringMatching(/^dlv_/)],
      }),
  }),
  given({
    op: 'channels.send',
    title: 'an agent has no channel that it was not given',
    as: 'owner',
    given: (stage) => agent(stage, 'ada', channels),
    input: (char_id) => ({ char_id, channel: nowhere, text: 'hello' }),
    refusal: 'channel_not_found',
    error: (error) => expect(error.hint).toContain('"team", "tools"'),
  }),
  given({
    op: 'channels.send',
    title: 'a channel that carries nothing says why',
    as: 'owner',
    given: (stage) => agent(stage, 'ada', channels),
    input: (char_id) => ({ char_id, channel: 'tools', text: 'hello' }),
    refusal: 'recipient_unreachable',
  }),
  ...agentRefusals('channels.send', (char_id) => ({ char_id, channel: 'team', text: 'hello' })),
  given({
    op: 'channels.list',
    title: 'each channel says whether it carries messages, and what became of the last one',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage, 'ada', channels)
      await stage.ask('channels.send', { char_id, channel: 'team', text: 'hello' })
      return char_id
    },
    input: (char_id) => ({ char_id }),
    answer: (answer) =>
      expect(answer.items).toMatchObject([
        {
          name: 'team',
          carries: true,
          reason: null,
          to: ['C1'],
          last: { status: expect.any(String) },
        },
        { name: 'tools', carries: false, reason: expect.stringContaining('"mcp"'), last: null },
      ]),
  }),
  ...agentRefusals('channels.list', (char_id) => ({ char_id })),
]
