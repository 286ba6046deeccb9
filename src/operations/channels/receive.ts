import * as z from 'zod'
import { admitBytesOf } from '#src/accounts/room.ts'
import { channelAt, verifierOf } from '#src/agents/channels/address.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { ControlChannel } from '#src/agents/control.ts'
import { mustNotBeSuspended } from '#src/core/authorization/suspended.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { anonymousBytesAtMost } from '#src/core/operation-facts.ts'
import { operation } from '#src/core/operation.ts'
import { isCarriedKind, type CarriedKind } from '#src/events/outbox/channels/kinds.ts'
import { heardIn, type Heard } from '#src/runs/channels/heard.ts'
import { begunBy, type Begun } from '#src/runs/channels/begin.ts'
import { isFrom } from '#src/runs/channels/verify.ts'
import { DuplicateKey } from '#src/ports/store.ts'
import { arrivingBytes } from '#src/runs/retention/bytes.ts'

const header = z.string().max(1000).optional()

export const receive = operation({
  name: 'channels.receive',
  summary: 'Bring what a person writes to a channel of an agent, which answers there.',
  description:
    'For Slack (Events API), Telegram (setWebhook with secret_token), Discord (interactions endpoint) and mail ' +
    'as JSON (from, subject, text, message_id, in_reply_to, auto_submitted), signed as Standard Webhooks. ' +
    'channels.list has the address. A repeat changes nothing.',
  example: {
    char_id: 'ada',
    key: '5d0c5e1c6e0f0a3b7c9a1f7be0d2b4a6c8e1f305',
    telegram_token: 'a-long-word',
    body: {
      update_id: 1,
      message: {
        message_id: 7,
        from: { id: 5, is_bot: false },
        chat: { id: 5, type: 'private' },
        text: 'What was filed today?',
      },
    },
  },
  auth: 'none',
  http: {
    method: 'POST',
    path: '/api/channels/{char_id}/{key}',
    headers: {
      slack_signature: 'X-Slack-Signature',
      slack_timestamp: 'X-Slack-Request-Timestamp',
      telegram_token: 'X-Telegram-Bot-Api-Secret-Token',
      discord_signature: 'X-Signature-Ed25519',
      discord_timestamp: 'X-Signature-Timestamp',
      webhook_id: 'webhook-id',
      webhook_timestamp: 'webhook-timestamp',
      webhook_signature: 'webhook-signature',
    },
    raw: true,
  },
  toolsets: ['messages'],
  restOnly: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    key: z.string().max(64).describe('The end of the address.'),
    body: z.json().describe('As the service sends it.'),
    slack_signature: header,
    slack_timestamp: header,
    telegram_token: header,
    discord_signature: header,
    discord_timestamp: header,
    webhook_id: header,
    webhook_timestamp: header,
    webhook_signature: header,
  }),
  document: 'body',
  output: z.object({
    accepted: z.boolean().optional().describe('Whether it was a message that is answered.'),
    reason: z.string().optional(),
    challenge: z.string().optional().describe('Of Slack.'),
    type: z.int().optional().describe('What Discord is answered.'),
    data: z.looseObject({}).optional(),
  }),
  refuses: ['channel_not_found', 'signature_invalid', 'task_not_found'],

  async run({ char_id, key, body, ...sent }, context) {
    const { store, clock, bytes = new Uint8Array() } = context
    const agent = await store.characters.get(char_id)
    const channel = agent && channelAt(context, agent, key)
    const verifier = agent && channel && verifierOf(context, agent, channel)
    if (!agent || !channel?.enabled || !isCarriedKind(channel.type) || verifier === undefined) {
      return refuse('channel_not_found', 'No channel listens at this address.', {
        hint: '<channels.list> shows the owner the addresses of channels that have what verifies messages.',
      })
    }
    if (bytes.length > anonymousBytesAtMost) {
      return refuse('payload_too_large', 'A message to a channel may have at most 64 KiB.')
    }
    const { type: kind } = channel
    if (!isFrom(kind, verifier, bytes, sent, clock.now())) {
      return refuse(
        'signature_invalid',
        'This does not come from the service of the channel, or not in its time.',
        {
          hint: 'Its own headers verify it, within five minutes of their time: the signing secret of Slack, the secret_token of Telegram, the public key of Discord, and Standard Webhooks for mail.',
        },
      )
    }
    mustNotBeSuspended(await context.store.accounts.get(agent.owner_id), context.settings)
    const heard = heardIn(kind, body)
    if (!('incoming' in heard)) return atOnce(kind, heard)
    return received(context, { agent, channel, kind, heard })
  },
})

interface Received {
  agent: StoredCharacter
  channel: ControlChannel
  kind: CarriedKind
  heard: Extract<Heard, { incoming: unknown }>
}

/** Keeps the message with the run that answers it, or tells why not. */
async function received(context: Context, { agent, channel, kind, heard }: Received) {
  const { incoming } = heard
  const begun: Begun = await begunBy(context, { agent, channel, kind, incoming })
  if ('isRepeat' in begun) return shownTo(kind, { accepted: true })
  if ('reason' in begun) return shownTo(kind, { accepted: false, reason: begun.reason })
  const { run, writes, sender } = begun
  await admitBytesOf(context, agent.owner_id, { sender, bytes: arrivingBytes(run) })
  try {
    return await context.commit(shownTo(kind, { accepted: true }), writes)
  } catch (cause) {
    // A repeat of it was faster.
    if (!(cause instanceof DuplicateKey && cause.in === 'hook_calls')) throw cause
    return shownTo(kind, { accepted: true })
  }
}

/** A message for one reader alone. */
const ephemeral = 64
/** Discord's words for: a pong, a message, and that an answer follows. */
const discord = { pong: 1, message: 4, deferred: 5 } as const

function atOnce(kind: CarriedKind, heard: Heard) {
  if ('challenge' in heard) return { challenge: heard.challenge }
  if ('isPing' in heard) return { type: discord.pong }
  return shownTo(kind, { accepted: false, reason: 'not_a_message' })
}

/** What a service is answered, in its own words. */
function shownTo(kind: CarriedKind, shown: { accepted: boolean; reason?: string }) {
  if (kind !== 'discord') return shown
  if (shown.accepted) return { type: discord.deferred }
  const content = `This is not answered (${shown.reason ?? 'unknown'}).`
  return { type: discord.message, data: { content, flags: ephemeral } }
}
