import { digest } from '#src/core/ids.ts'
import type { CarriedKind, ChannelMessage } from './kinds.ts'

/**
 * How many characters one call may bring. Slack cuts a text at 40,000, counted with its escapes, of which the longest
 * has five characters.
 */
export const charactersOfPart: Readonly<Record<CarriedKind, number>> = {
  email: 100_000,
  slack: 8000,
  discord: 2000,
  telegram: 4096,
}

/** Discord shows no preview of what links lead to. */
const suppressEmbeds = 4
/** Discord takes so many characters as the mark of a message. */
const nonceCharacters = 25

type Body = (message: ChannelMessage, text: string, id: string) => object

/**
 * What is sent, in the words of each service. No text calls a whole channel, and no link is opened by a service to
 * show what is behind it: that alone would tell its owner what an agent was made to write.
 */
const bodies: Readonly<Record<CarriedKind, Body>> = {
  email: ({ to, subject, name, replyTo, thread }, text) => ({
    to,
    subject,
    text,
    from_name: name,
    reply_to: replyTo,
    in_reply_to: thread,
  }),
  slack: ({ to, thread }, text) => ({
    ...(to !== null && { channel: to }),
    text: escaped(text),
    unfurl_links: false,
    unfurl_media: false,
    ...(thread !== undefined && { thread_ts: thread }),
  }),
  discord: ({ to, answers }, text, id) => ({
    content: text,
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
    // A webhook knows neither.
    ...(to !== null && { nonce: digest(id).slice(0, nonceCharacters), enforce_nonce: true }),
    ...(answers !== undefined && {
      message_reference: { message_id: answers, fail_if_not_exists: false },
    }),
  }),
  telegram: ({ to, thread, answers }, text) => ({
    chat_id: to,
    text,
    link_preview_options: { is_disabled: true },
    ...(thread !== undefined && { message_thread_id: Number(thread) }),
    ...(answers !== undefined && {
      reply_parameters: { message_id: Number(answers), allow_sending_without_reply: true },
    }),
  }),
}

/** The body of one part of a message. @param id of its delivery */
export function bodyOfPart(message: ChannelMessage, text: string, id: string): object {
  return bodies[message.kind](message, text, id)
}

/** Slack's own marks, such as `<!channel>`, become plain text. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
