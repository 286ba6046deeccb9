import * as z from 'zod'
import { items, textOf } from '#src/core/input/loose.ts'
import { isAddress } from '#src/events/outbox/channels/address.ts'
import { isCarriedKind, type CarriedKind } from '#src/events/outbox/channels/kinds.ts'
import type { ControlChannel } from '../control.ts'
import { isMask } from '../sealed/places.ts'

/** What a channel lacks to carry messages. */
export interface Lack {
  /** The member of its config. */
  member: string
  reason: string
}

/** Placeholders are filled in for runs, and a message may be sent without one. */
const placeholder = /\{\{/

/**
 * What the config of a channel of a carried kind lacks to carry messages out; undefined if it is complete.
 * @param secret opened, or its mask
 */
export function lackOf(
  kind: CarriedKind,
  { config }: Pick<ControlChannel, 'config'>,
  secret = textOf(config.secret),
): Lack | undefined {
  if (kind !== 'email' && (secret === undefined || placeholder.test(secret))) {
    return { member: 'secret', reason: `its config needs a secret: ${needed[kind]}, itself` }
  }
  if (kind === 'telegram' && secret !== undefined && !isMask(secret) && !botToken.test(secret)) {
    return { member: 'secret', reason: 'its secret is not the token of a bot' }
  }
  // Whether a masked secret is an address is not to be seen.
  const needsPlace =
    kind === 'email' || kind === 'telegram' || (secret && !isMask(secret) && !isAddress(secret))
  const places = placesOf({ config })
  // It may be there to answer alone.
  const answers = textOf(config.signing_secret) ?? textOf(config.public_key)
  if (needsPlace && places.length === 0 && answers === undefined) {
    return { member: 'to', reason: `its config needs to: ${place[kind]}` }
  }
  const wrong = places.find((one) => !forms[kind].test(one))
  if (wrong === undefined) return undefined
  const reason = `"${wrong.slice(0, 100)}" in its config.to is not ${place[kind]}`
  return { member: 'to', reason }
}

const needed = {
  slack: 'the token of a bot, or the address of an incoming webhook',
  discord: 'the token of a bot, or the address of a webhook',
  telegram: 'the token of a bot',
} as const

const place: Readonly<Record<CarriedKind, string>> = {
  email: 'an e-mail address',
  slack: 'the id of a channel',
  discord: 'the id of a channel',
  telegram: 'the id of a chat',
}

const botToken = /^\d{1,20}:[\w-]{10,100}$/

const forms: Readonly<Record<CarriedKind, RegExp>> = {
  email: z.regexes.html5Email,
  slack: /^[A-Z][A-Z0-9]{1,30}$/,
  discord: /^\d{1,20}$/,
  telegram: /^(?:-?\d{1,20}|@\w{1,64})$/,
}

/** To whom a channel may carry messages at all: `config.to`, one or a list, of which the first is meant by default. */
export function placesOf({ config }: Pick<ControlChannel, 'config'>): string[] {
  const named = Array.isArray(config.to) ? items(config.to) : [config.to]
  return named.flatMap((one) => (typeof one === 'number' ? String(one) : textOf(one)) ?? [])
}

/** Whether a channel carries messages out, and why not. */
export interface Carrying {
  carries: boolean
  reason: string | null
}

/** What there is to carry messages by. */
export interface Means {
  /** Of the channel, opened. */
  secret?: string | undefined
  /** Whether the server sends mails. */
  hasMail: boolean
  /** Whether a person holds the account: the server's own name stands for its mails. */
  isClaimed: boolean
}

/** Whether a channel carries messages out. */
export function carryingOf(
  channel: ControlChannel,
  { secret, hasMail, isClaimed }: Means,
): Carrying {
  const { type, enabled } = channel
  const no = (reason: string): Carrying => ({ carries: false, reason })
  if (!isCarriedKind(type)) {
    return no(`nothing here carries messages by the type "${type.slice(0, 100)}"`)
  }
  if (!enabled) return no('the channel is not enabled')
  if (type === 'email' && !hasMail) return no('this server sends no mails')
  if (type === 'email' && !isClaimed) return no('mails are sent for accounts that a person holds')
  const lack = lackOf(type, channel, secret)
  return lack ? no(lack.reason) : { carries: true, reason: null }
}
