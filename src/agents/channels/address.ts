import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ports } from '#src/core/context.ts'
import { textOf } from '#src/core/input/loose.ts'
import { isCarriedKind } from '#src/events/outbox/channels/kinds.ts'
import type { StoredCharacter } from '../character.ts'
import type { ControlChannel } from '../control.ts'
import { openedMember } from './message.ts'

type Agent = Pick<StoredCharacter, 'id' | 'owner_id' | 'name' | 'control' | 'settings_secrets'>

/** The part of a channel's address that no one can guess: the same for as long as agent, account and name are. */
function keyOf(
  { sealer }: Pick<Ports, 'sealer'>,
  { id, owner_id }: Agent,
  { name }: ControlChannel,
): string {
  const mac = createHmac('sha256', sealer.derive('address of a channel'))
  return mac
    .update(JSON.stringify([owner_id, id, name]))
    .digest('hex')
    .slice(0, 40)
}

/** The channel of an agent that is called at this key, if there is one. */
export function channelAt(
  ports: Pick<Ports, 'sealer'>,
  agent: Agent,
  key: string,
): ControlChannel | undefined {
  const sent = Buffer.from(key)
  return agent.control?.channels.find((channel) => {
    const own = Buffer.from(keyOf(ports, agent, channel))
    return own.length === sent.length && timingSafeEqual(own, sent)
  })
}

/** By what messages that come in are verified: for Discord the public key of the application; undefined if nothing is. */
export function verifierOf(
  ports: Pick<Ports, 'sealer'>,
  agent: Agent,
  channel: ControlChannel,
): string | undefined {
  const found =
    channel.type === 'discord'
      ? textOf(channel.config['public_key'])
      : openedMember(ports, agent, channel, 'signing_secret')
  return found?.includes('{{') ? undefined : found
}

/** Where a service brings messages to a channel; null where nothing could be verified. */
export function addressIn(
  ports: Pick<Ports, 'sealer' | 'settings'>,
  agent: Agent,
  channel: ControlChannel,
): string | null {
  const { type, enabled } = channel
  if (!enabled || !isCarriedKind(type) || verifierOf(ports, agent, channel) === undefined) {
    return null
  }
  const key = keyOf(ports, agent, channel)
  return `${ports.settings.publicUrl}/api/channels/${encodeURIComponent(agent.id)}/${key}`
}
