import { newId } from '#src/core/ids.ts'
import type { Sealer } from '#src/core/seal.ts'
import type { ChannelServices } from '#src/core/settings.ts'
import { newDelivery, type Owed } from '../outbox.ts'
import type { StoredDelivery } from '../delivery.ts'
import { shownAddress } from './address.ts'
import { bodyOfPart, charactersOfPart } from './bodies.ts'
import type { ChannelMessage } from './kinds.ts'
import { partsOf } from './split.ts'

/** The event that deliveries of messages on channels are of. */
export const channelMessage = 'channel.message'

/** For whom a message is sent, on which channel, and by what. */
export interface ChannelOwed extends Pick<Owed, 'ownerId' | 'sender' | 'causeRun' | 'now'> {
  charId: string
  channel: string
  /** The token of the service, or the address that stands for one; null for a mail. */
  secret: string | null
  /** The conversation that it belongs to. */
  contextId?: string | undefined
}

/** The deliveries of a message, in order: the first is due, and each of the others once the one before was taken. */
export function channelDeliveries(
  message: ChannelMessage,
  { channel, contextId, ...owed }: ChannelOwed,
  { sealer, services }: { sealer: Pick<Sealer, 'seal'>; services: ChannelServices },
): StoredDelivery[] {
  const { kind } = message
  const url = shownAddress(services, kind, { to: message.to, secret: owed.secret })
  const about = { appId: null, eventId: newId('evt'), type: channelMessage, url }
  const parts = partsOf(message.text, charactersOfPart[kind])
  const ids = parts.map(() => newId('dlv'))
  // What answers a message is its first part.
  const { answers: _first, ...further } = message
  return parts.map((text, i): StoredDelivery => {
    const id = ids[i] ?? newId('dlv')
    const next = ids[i + 1]
    const body = bodyOfPart(i === 0 ? message : further, text, id)
    return {
      ...newDelivery({ ...owed, ...about, body, id }, sealer),
      channel,
      channel_kind: kind,
      ...(next !== undefined && { next_part: next }),
      ...(contextId !== undefined && { channel_context: contextId }),
      ...(i > 0 && { due_at: null, next_attempt_at: null }),
    }
  })
}
