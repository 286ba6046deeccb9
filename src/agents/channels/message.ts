import type { Ports } from '#src/core/context.ts'
import { channelDeliveries, type ChannelOwed } from '#src/events/outbox/channels/owed.ts'
import { isAddress } from '#src/events/outbox/channels/address.ts'
import type { CarriedKind, ChannelMessage } from '#src/events/outbox/channels/kinds.ts'
import type { Write } from '#src/ports/store.ts'
import { textOf } from '#src/core/input/loose.ts'
import type { StoredCharacter } from '../character.ts'
import type { ControlChannel } from '../control.ts'
import { settingsOf } from '../sealed/keep.ts'
import { isMask, settingPointer } from '../sealed/places.ts'
import { carryingOf, placesOf, type Means } from './carries.ts'

type Needed = Pick<Ports, 'sealer' | 'settings' | 'mailer' | 'limiter' | 'store'>
type Agent = Pick<StoredCharacter, 'id' | 'owner_id' | 'name' | 'control' | 'settings_secrets'>

/** What is to be said, and to whom. */
export interface Saying extends Pick<ChannelOwed, 'sender' | 'causeRun' | 'now' | 'contextId'> {
  /** By default the first that the channel names. */
  to?: string | undefined
  /** Someone whom the channel does not name, and who has written by it. */
  isAnswer?: boolean
  text: string
  about?: Pick<ChannelMessage, 'subject' | 'thread' | 'answers'>
  /** In place of the secret of the channel. */
  by?: string | undefined
}

/** A message as it is sent out. */
export interface Said {
  to: string | null
  deliveries: string[]
  writes: Write[]
}

/** Characters of one message; what is longer is refused, or cut by who sends it. */
export const messageCharacters = 32_000

const hour = 3600
/** Messages of one account by channels in an hour, mails among them, and mails to one address. */
export const bounds = {
  messages: { count: 240, seconds: hour },
  mails: { count: 60, seconds: hour },
  mailsToOne: { count: 12, seconds: hour },
} as const

/** The channel of this name; the first, if there are several. */
export function channelOf(
  { control }: Pick<Agent, 'control'>,
  name: string,
): ControlChannel | undefined {
  return control?.channels.find((one) => one.name === name)
}

/** A member of a channel's config that may be sealed, opened; undefined where there is none. */
export function openedMember(
  { sealer }: Pick<Ports, 'sealer'>,
  agent: Agent,
  channel: ControlChannel,
  member: 'secret' | 'signing_secret',
): string | undefined {
  const value = textOf(channel.config[member])
  if (!isMask(value)) return value
  const position = agent.control?.channels.indexOf(channel) ?? -1
  try {
    return settingsOf(agent, sealer)[settingPointer('channels', position, `/config/${member}`)]
  } catch {
    // Sealed for another agent: it opens nothing here.
    return undefined
  }
}

/** The deliveries of a message of an agent on one of its channels, or why there are none. */
export async function saidOn(
  ports: Needed,
  agent: Agent,
  channel: ControlChannel,
  { to: named, isAnswer = false, text, about, by, now, ...cause }: Saying,
): Promise<Said | { reason: string }> {
  const secret = by ?? openedMember(ports, agent, channel, 'secret')
  const { carries, reason } = carryingOf(channel, { secret, ...(await meansOf(ports, agent)) })
  if (!carries) return { reason: reason ?? 'it carries nothing' }
  const kind = channel.type as CarriedKind
  const isWebhook = secret !== undefined && kind !== 'email' && isAddress(secret)
  const places = placesOf(channel)
  if (named !== undefined && !isAnswer && (isWebhook || !places.includes(named))) {
    return { reason: `its config.to does not name "${named.slice(0, 100)}"` }
  }
  if (isAnswer && isWebhook && by === undefined) {
    return { reason: 'its secret stands for one place, and answers no one else' }
  }
  const to = isWebhook ? null : (named ?? places[0] ?? null)
  if (!isWebhook && to === null) return { reason: 'its config.to names no one' }
  const over = await beyondBound(ports, agent.owner_id, kind, to)
  if (over !== undefined) return { reason: over }
  const subject =
    kind === 'email'
      ? subjectOf(
          about?.subject ?? textOf(channel.config['subject']) ?? `Message from ${agent.name}`,
        )
      : undefined
  const message = {
    ...about,
    kind,
    to,
    text,
    name: lineOf(agent.name),
    subject,
    replyTo: textOf(channel.config['reply_to']),
  }
  const owed = {
    ...cause,
    ownerId: agent.owner_id,
    charId: agent.id,
    channel: channel.name,
    secret: kind === 'email' ? null : (secret ?? null),
    now,
  }
  const made = channelDeliveries(message, owed, {
    sealer: ports.sealer,
    services: ports.settings.channelServices,
  })
  if (made.length === 0) return { reason: 'the text is empty' }
  return {
    to,
    deliveries: made.map(({ id }) => id),
    writes: made.map((insert): Write => ({ in: 'deliveries', insert })),
  }
}

/** By what the channels of an agent may carry, besides their secrets. */
export async function meansOf(
  { store, mailer }: Pick<Ports, 'store' | 'mailer'>,
  { owner_id }: Pick<Agent, 'owner_id'>,
): Promise<Omit<Means, 'secret'>> {
  const holder = (await store.accounts.get(owner_id))?.holder_id ?? null
  return { hasMail: mailer !== null, isClaimed: holder !== null }
}

/** Whether the account has sent too much within the hour, in words. */
async function beyondBound(
  { limiter }: Pick<Ports, 'limiter'>,
  ownerId: string,
  kind: CarriedKind,
  to: string | null,
): Promise<string | undefined> {
  const { admitted } = await limiter.take('channel_messages', bounds.messages, ownerId)
  if (!admitted) return 'the account has sent too many messages by channels within this hour'
  if (kind !== 'email') return undefined
  const mails = await limiter.take('channel_mails', bounds.mails, ownerId)
  if (!mails.admitted) return 'the account has sent too many mails by channels within this hour'
  const one = await limiter.take('channel_mails_to', bounds.mailsToOne, (to ?? '').toLowerCase())
  return one.admitted ? undefined : 'this address was sent too many mails within this hour'
}

const subjectCharacters = 200

function subjectOf(text: string): string {
  return lineOf(text).slice(0, subjectCharacters).toWellFormed()
}

/** One line, without control characters. */
function lineOf(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
}
