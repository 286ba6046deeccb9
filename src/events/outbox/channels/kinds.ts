/** The kinds of channels that carry messages of an agent to people. */
export const carriedKinds = ['email', 'slack', 'discord', 'telegram'] as const
/** One of them. */
export type CarriedKind = (typeof carriedKinds)[number]

export function isCarriedKind(type: string): type is CarriedKind {
  return (carriedKinds as readonly string[]).includes(type)
}

/** A message to people, before it is cut into what one call may bring. */
export interface ChannelMessage {
  kind: CarriedKind
  /** An e-mail address, or the id of a channel or chat; null where the secret is an address that stands for one. */
  to: string | null
  text: string
  /** The name of the agent, which a mail comes from. */
  name: string
  /** Of a mail. */
  subject?: string | undefined
  /** Where a mail is answered to. */
  replyTo?: string | undefined
  /** The thread that it belongs to: the Message-ID that a mail answers, `thread_ts`, or a topic of a group. */
  thread?: string | undefined
  /** The message that it answers, of Discord and Telegram. */
  answers?: string | undefined
}
