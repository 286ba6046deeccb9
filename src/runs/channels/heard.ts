import { items, members, textOf } from '#src/core/input/loose.ts'
import type { CarriedKind } from '#src/events/outbox/channels/kinds.ts'

/** A message of a person, in one form for all services. */
export interface Incoming {
  /** The same for every repeat of it, and of no other message of the channel. */
  once: string
  /** Who writes, as the service names them. */
  from: string
  text: string
  /** Where an answer goes. */
  to: string
  /** The chat or thread; a mail has none of its own, and goes by the mail that it answers. */
  conversation: string | null
  /** The Message-ID of the mail that it answers. */
  inReplyTo?: string | undefined
  subject?: string | undefined
  thread?: string | undefined
  answers?: string | undefined
  /** What answers this message alone, of Discord: the path under the address of the service. */
  by?: string | undefined
}

/** What a service has said: a message, a question that is answered at once, or nothing to act on. */
export type Heard =
  | { incoming: Incoming }
  | { challenge: string }
  | { isPing: true }
  | { isIgnored: true }

const ignored: Heard = { isIgnored: true }
/** Characters of a message that a run is given. */
const charactersAtMost = 32_000

const readers: Readonly<Record<CarriedKind, (body: Record<string, unknown>) => Heard>> = {
  email: mailIn,
  slack: slackIn,
  discord: discordIn,
  telegram: telegramIn,
}

/** What a verified body says. What is written by programs is ignored, so that two of them do not talk for ever. */
export function heardIn(kind: CarriedKind, body: unknown): Heard {
  return readers[kind](members(body))
}

function said(incoming: Omit<Incoming, 'text'>, text: unknown): Heard {
  const words = textOf(text)?.trim().slice(0, charactersAtMost).toWellFormed()
  return words ? { incoming: { ...incoming, text: words } } : ignored
}

function slackIn({
  type,
  challenge,
  event: sent,
  authorizations,
  team_id,
}: Record<string, unknown>): Heard {
  if (type === 'url_verification') {
    return typeof challenge === 'string' ? { challenge: challenge.slice(0, 1000) } : ignored
  }
  const event = members(sent)
  const isMessage = event.type === 'message' || event.type === 'app_mention'
  if (type !== 'event_callback' || !isMessage || event.subtype !== undefined) return ignored
  const [from, to, ts] = [textOf(event.user), textOf(event.channel), textOf(event.ts)]
  if (event.bot_id !== undefined || !from || !to || !ts) return ignored
  if (
    items(authorizations).some(
      (one) => members(one).user_id === from && members(one).is_bot === true,
    )
  ) {
    return ignored
  }
  const thread = textOf(event.thread_ts) ?? (event.channel_type === 'im' ? undefined : ts)
  // A mention is told twice where both kinds of events are asked for: with one time, under two ids.
  const once = JSON.stringify([team_id, to, ts])
  const conversation = JSON.stringify([to, thread])
  return said({ once, from, to, thread, conversation }, unescaped(event.text))
}

/** Slack escapes three characters. */
function unescaped(text: unknown): unknown {
  if (typeof text !== 'string') return text
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function telegramIn({ update_id, message: sent }: Record<string, unknown>): Heard {
  const message = members(sent)
  const [chat, from] = [members(message.chat), members(message.from)]
  const ids = [update_id, message.message_id, chat.id, from.id]
  if (!ids.every(Number.isSafeInteger) || from.is_bot !== false) return ignored
  const isTopic = message.is_topic_message === true
  const thread = isTopic ? idOf(message.message_thread_id) : undefined
  const answers = chat.type === 'private' ? undefined : idOf(message.message_id)
  const to = String(chat.id)
  const conversation = JSON.stringify([to, thread])
  const about = { once: String(update_id), from: String(from.id), to, thread, answers }
  return said({ ...about, conversation }, message.text)
}

const isSnowflake = /^\d{1,20}$/

function discordIn(body: Record<string, unknown>): Heard {
  const { type, id, channel_id, application_id, token, data, member, user } = body
  if (type === 1) return { isPing: true }
  const who = members(members(member).user ?? user)
  const ids = [id, channel_id, application_id, who.id].map(String)
  const isSafe = typeof token === 'string' && /^[\w.-]{1,500}$/.test(token)
  if (type !== 2 || !isSafe || who.bot === true || !ids.every((one) => isSnowflake.test(one))) {
    return ignored
  }
  const [once = '', to = '', application = '', from = ''] = ids
  const values = items(members(data).options).map((one) => members(one).value)
  const text = values.filter((value) => typeof value === 'string').join('\n')
  const by = `/api/v10/webhooks/${application}/${token}`
  return said({ once, from, to, conversation: to, by }, text)
}

const isAddress = /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,190}$/
const isMessageId = /^<[^\s<>]{1,250}>$/

function mailIn(body: Record<string, unknown>): Heard {
  const from = textOf(body['from'])?.toLowerCase() ?? ''
  const id = textOf(body['message_id']) ?? ''
  const before = textOf(body['in_reply_to'])
  const auto = textOf(body['auto_submitted']) ?? 'no'
  if (!isAddress.test(from) || !isMessageId.test(id) || auto.toLowerCase() !== 'no') return ignored
  const inReplyTo = before !== undefined && isMessageId.test(before) ? before : undefined
  const subject = answering(textOf(body['subject']) ?? '')
  const about = { once: id, from, to: from, thread: id, subject, inReplyTo }
  return said({ ...about, conversation: null }, body['text'])
}

function answering(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`
}

function idOf(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : undefined
}
