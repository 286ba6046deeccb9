import { textOf } from '#src/core/input/loose.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { ControlChannel } from '#src/agents/control.ts'
import type { Context } from '#src/core/context.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { senderKey } from '#src/core/counts/received.ts'
import { digest } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { CarriedKind } from '#src/events/outbox/channels/kinds.ts'
import type { Write } from '#src/ports/store.ts'
import type { ChatTask } from '../chat/chat.ts'
import { chosenTask } from '../chat/choose-task.ts'
import { countedBytes } from '../retention/bytes.ts'
import type { StoredRun } from '../run.ts'
import { noRunForOthers } from '../skip-reason.ts'
import { hookCallId, remembering, startedBefore } from '../triggers/hook-calls.ts'
import { runOf } from '../triggers/message.ts'
import { areBeyondQuota } from '../triggers/start.ts'
import { answerSeal } from './answer.ts'
import type { Incoming } from './heard.ts'

const hour = 3600
/** Messages that are answered in an hour: of a channel, of one sender, and in one conversation. */
export const bounds = {
  channel_in: { count: 600, seconds: hour },
  channel_in_sender: { count: 60, seconds: hour },
  channel_in_conversation: { count: 30, seconds: hour },
} as const

/** A message that has come in by a channel. */
export interface Arrived {
  agent: StoredCharacter
  channel: ControlChannel
  kind: CarriedKind
  incoming: Incoming
}

/** What is kept of a message, or why nothing is. */
export type Begun =
  | { isRepeat: true }
  | { reason: string }
  | { run: StoredRun; writes: Write[]; sender: string }

/**
 * The run that answers a message, in the conversation that it belongs to.
 * @throws Refusal `task_not_found`, `quota_exceeded`
 */
export async function begunBy(context: Context, arrived: Arrived): Promise<Begun> {
  const { agent, channel, kind, incoming } = arrived
  const { store, clock } = context
  const { owner_id } = agent
  const place = JSON.stringify([owner_id, agent.id, channel.name])
  const id = hookCallId(place, kind, incoming.once)
  if ((await startedBefore(store, [id])).size > 0) return { isRepeat: true }
  const sender = senderKey(JSON.stringify([place, incoming.from]))
  const caller = `channel:${sender}`
  const contextId = await contextOf(context, arrived, caller)
  if (await isBeyondBound(context, { place, sender, contextId })) return { reason: 'rate_limited' }
  const named = textOf(channel.config['task_id'])
  // A task that the channel names was opened to its senders by that.
  const asker = { isOwn: named !== undefined, charId: undefined }
  const task = await chosenTask(context, agent, asker, named)
  const now = clock.now()
  const at = timestamp(now)
  const by = { channel: channel.name, context_id: contextId }
  const start = {
    trigger: { type: 'message', at, caller: by },
    input: incoming.text,
    sender,
    source: { kind: 'chat' as const },
  }
  const made = await runOf(context, task, start, now)
  // Nothing is kept of a message that starts nothing because the quota is used up.
  if (areBeyondQuota([made])) return noRunForOthers()
  const chat: ChatTask = {
    id: made.id,
    char_id: agent.id,
    owner_id,
    task_id: task.task_id,
    caller,
    context_id: contextId,
    message_id: incoming.once,
    created_at: at,
    ...wayBack(context, made.id, channel, incoming),
  }
  const run = { ...made, chat_id: made.id, bytes: countedBytes(made) + sizeOf(chat) }
  const writes: Write[] = [
    { in: 'runs', insert: run },
    { in: 'chats', insert: chat },
    remembering({ id, owner_id, run_id: run.id }, now),
  ]
  return { run, writes, sender }
}

/** Where the answer goes. */
function wayBack(
  { sealer, settings }: Pick<Context, 'sealer' | 'settings'>,
  chatId: string,
  { name }: ControlChannel,
  { to, thread, answers, subject, by }: Incoming,
): Pick<ChatTask, 'channel' | 'sealed_answer'> {
  const channel = {
    name,
    to,
    ...(thread !== undefined && { thread }),
    ...(answers !== undefined && { answers }),
    ...(subject !== undefined && { subject: subject.slice(0, 300) }),
  }
  if (by === undefined) return { channel }
  const address = settings.channelServices.discord + by
  return { channel, sealed_answer: sealer.seal(address, answerSeal(chatId)) }
}

async function isBeyondBound(
  { limiter }: Pick<Context, 'limiter'>,
  { place, sender, contextId }: { place: string; sender: string; contextId: string },
): Promise<boolean> {
  const asked = [
    ['channel_in_conversation', contextId],
    ['channel_in_sender', sender],
    ['channel_in', digest(place)],
  ] as const
  for (const [name, subject] of asked) {
    const { admitted } = await limiter.take(name, bounds[name], subject)
    if (!admitted) return true
  }
  return false
}

const ourMessageId = /^<(dlv_[0-9a-f]{32})@/

/** The conversation: of the same chat or thread, or of the mail that is answered. */
async function contextOf(
  { store }: Pick<Context, 'store'>,
  { agent, channel, incoming }: Arrived,
  caller: string,
): Promise<string> {
  const { conversation, inReplyTo, once } = incoming
  const named = (of: string): string =>
    `ctx_${digest(JSON.stringify([agent.owner_id, agent.id, channel.name, caller, of])).slice(0, 32)}`
  if (conversation !== null) return named(conversation)
  if (inReplyTo === undefined) return named(once)
  const [, ours] = ourMessageId.exec(inReplyTo) ?? []
  const delivery = ours === undefined ? undefined : await store.deliveries.get(ours)
  const isOfIt = delivery?.owner_id === agent.owner_id && delivery.char_id === agent.id
  if (isOfIt && delivery.channel === channel.name) {
    return delivery.channel_context ?? named(delivery.event_id)
  }
  const before = { caller, char_id: agent.id, message_id: inReplyTo }
  const [chat] = await store.chats.find(before, { sort: { id: -1 }, limit: 1 })
  return chat?.context_id ?? named(inReplyTo)
}
