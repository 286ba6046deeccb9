import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { refuseNoChannel } from '#src/agents/channels/access.ts'
import { channelOf, messageCharacters, saidOn } from '#src/agents/channels/message.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { call } from '#src/core/words/reference.ts'

export const send = operation({
  name: 'channels.send',
  summary: 'Send a message of an agent to people, by mail, Slack, Discord or Telegram.',
  description:
    'The channel is one of the agent, of type email, slack, discord or telegram; channels.list says which ' +
    'carry messages. It is delivered afterwards and tried again for a day. A long text goes out in parts. ' +
    'No mention calls a whole channel.',
  example: { char_id: 'ada', channel: 'team', text: 'The figures are ready.' },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/characters/{char_id}/channels/send', status: 202 },
  toolsets: ['messages'],
  input: z.strictObject({
    char_id: z.string().max(128),
    channel: z.string().min(1).max(500).describe('Its name.'),
    text: z.string().min(1).max(messageCharacters),
    to: z
      .string()
      .min(1)
      .max(254)
      .nullish()
      .describe('One of those that the channel names in config.to; by default the first.'),
  }),
  output: z.object({
    channel: z.string(),
    to: z.string().nullable().describe('Null where the secret of the channel stands for a place.'),
    deliveries: z.array(z.string()).describe('One for each part of the text.'),
  }),
  refuses: ['character_not_found', 'forbidden', 'channel_not_found', 'recipient_unreachable'],

  async run({ char_id, channel: name, text, to }, context) {
    const agent = await ownCharacter(context, char_id)
    const channel = channelOf(agent, name) ?? refuseNoChannel(agent, name)
    const said = await saidOn(context, agent, channel, {
      text,
      to: to ?? undefined,
      now: context.clock.now(),
    })
    if ('reason' in said) {
      return refuse(
        'recipient_unreachable',
        `The channel "${name}" does not carry this: ${said.reason}.`,
        {
          hint: `${call('channels.list', { char_id })} says which channels carry messages, and why others do not.`,
        },
      )
    }
    const { writes, ...shown } = said
    return context.commit({ channel: name, ...shown }, writes)
  },
})
