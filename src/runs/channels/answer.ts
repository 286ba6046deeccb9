import { messageCharacters, channelOf, saidOn } from '#src/agents/channels/message.ts'
import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import type { ChatTask } from '../chat/chat.ts'
import type { Consequence, Ended } from '../ended.ts'
import { runEvent } from '../events.ts'
import { cutTo, workOf } from '../output/result.ts'

/** What the seal of a way to answer one message is bound to. */
export function answerSeal(chatId: string): { id: string; purpose: string } {
  return { id: chatId, purpose: 'channel_answer' }
}

/** The answer to a message that came in by a channel goes out by it. */
export const answeredOf: Consequence = (ports, ended) => {
  const { run, outcome } = ended
  const work = run.chat_id === undefined ? undefined : workOf(outcome)
  return work && !work.isEmpty ? answered(ports, ended, work.text) : []
}

async function answered(ports: Ports, { run, now }: Ended, text: string): Promise<Write[]> {
  const { store } = ports
  const chat = await store.chats.get(run.chat_id ?? '')
  if (!chat?.channel) return []
  const agent = await store.characters.get(run.char_id)
  const { name } = chat.channel
  const channel = agent?.owner_id === run.owner_id ? channelOf(agent, name) : undefined
  if (!agent || !channel) return [dropped('the agent has no such channel')]
  const cause = { sender: run.sender, causeRun: run.id, contextId: chat.context_id, now }
  const said = await saidOn(ports, agent, channel, {
    ...cause,
    ...wayOf(ports, chat, chat.channel),
    text: cutTo(messageCharacters, text),
  })
  return 'reason' in said ? [dropped(said.reason)] : said.writes

  function dropped(reason: string): Write {
    const event = runEvent(run.id, 'channel.dropped', now, { channel: name, reason })
    return { in: 'run_events', insert: event }
  }
}

function wayOf(
  { sealer }: Pick<Ports, 'sealer'>,
  { id, sealed_answer }: ChatTask,
  { to, thread, answers, subject }: NonNullable<ChatTask['channel']>,
) {
  const by = sealed_answer === undefined ? undefined : sealer.open(sealed_answer, answerSeal(id))
  return { to, isAnswer: true, about: { thread, answers, subject }, by }
}
