import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { addressIn } from '#src/agents/channels/address.ts'
import { carryingOf, placesOf } from '#src/agents/channels/carries.ts'
import { meansOf, openedMember } from '#src/agents/channels/message.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { ControlChannel } from '#src/agents/control.ts'
import { partsAtMost } from '#src/core/schema-parts.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { deliveryStatuses } from '#src/events/outbox/delivery.ts'

/** Channels whose last delivery is looked up. */
const lookedUpAtMost = 50

const ChannelShown = z
  .object({
    name: z.string(),
    type: z.string(),
    enabled: z.boolean(),
    carries: z.boolean().describe('Whether messages of the agent go out by it.'),
    reason: z.string().nullable().describe('Why it carries none.'),
    in_url: z
      .string()
      .nullable()
      .describe('Where a service brings messages to it; null where nothing verifies them.'),
    to: z.array(z.string()).describe('To whom it carries messages.'),
    last: z
      .object({
        status: z.enum(deliveryStatuses),
        error: z.string().nullable(),
        at: z.string(),
      })
      .nullable()
      .describe('What became of the last message, or of its last part.'),
  })
  .meta({ id: 'ChannelShown' })

export const list = operation({
  name: 'channels.list',
  summary:
    "List an agent's channels: which of them carry messages, and what became of the last one.",
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/channels' },
  toolsets: ['messages'],
  input: z.strictObject({ char_id: z.string().max(128) }),
  output: z.object({ items: z.array(ChannelShown).max(partsAtMost) }),
  refuses: ['character_not_found', 'forbidden'],

  async run({ char_id }, context) {
    const agent = await ownCharacter(context, char_id)
    const channels = agent.control?.channels ?? []
    const lasts = channels.slice(0, lookedUpAtMost).map((one) => lastOf(context, agent, one))
    const found = await Promise.all(lasts)
    const means = await meansOf(context, agent)
    const items = channels.map((channel, i) => {
      const { name, type, enabled } = channel
      const secret = openedMember(context, agent, channel, 'secret')
      const carrying = carryingOf(channel, { secret, ...means })
      const in_url = addressIn(context, agent, channel)
      const shown = { name, type, enabled, ...carrying, in_url, to: placesOf(channel) }
      return { ...shown, last: found[i] ?? null }
    })
    return { items }
  },
})

async function lastOf(
  { store }: Pick<Context, 'store'>,
  { id, owner_id }: StoredCharacter,
  { name }: ControlChannel,
) {
  const [row] = await store.deliveries.find(
    { char_id: id, channel: name },
    { sort: { id: -1 }, limit: 1 },
  )
  if (row?.owner_id !== owner_id) return null
  return { status: row.status, error: row.error, at: row.last_attempt_at ?? row.created_at }
}
